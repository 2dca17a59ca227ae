#include <acre/acre.h>

struct list {
  struct list *sameregion next;
  struct list *parentptr up;
  struct list *other;
  region memory;
};
static struct list *kept;

static struct list *make(region r, struct list *next) {
  struct list *l = ralloc(r, struct list);
  l->next = next;
  return l;
}

struct list *two(void) {
  region r = newregion(), below = newsubregion(r);
  struct list *l = make(r, NULL), *child = make(below, NULL);
  child->up = l;
  return make(r, l);
}

int length(const struct list *l) {
  int n = 0;
  for (; l; l = l->next)
    n++;
  return n;
}

void keep(struct list *l) deletes {
  region r = l->memory;
  l->other = l->next ? l->next->other : l;
  kept = l;
  l->memory = NULL;
  deleteregion(r);
}

/* Out of the middle of a loop, a switch, a call that does not return, a jump into a loop. */
_Noreturn void fail(void);
struct list *odd(struct list *l, int how) {
  while (l) {
    switch (how) {
    case 0: return l;
    case 1: fail();
    case 2: l = l->next; break;
    default: if (l == kept) goto out;
    }
    l = l->other;
  }
out:
  return kept;
}

void irreducible(struct list *l, int how) deletes {
  if (how)
    goto within;
  while (l) {
    l = l->next;
within:
    keep(l);
  }
}
