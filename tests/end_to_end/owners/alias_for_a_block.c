// What is lent for a block is the object itself, under every name and in every structure, and each
// way out of the block gives it back whole.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <acre/own.h>
#include <setjmp.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct item {
  struct item *unique next;
  char *unique name;
  int value;
};
struct pair {
  struct item *first, *second;
};
static jmp_buf again;

static struct item *unique item_new(int value, struct item *unique next) {
  struct item *unique p = calloc(1, sizeof *p);
  if (!p)
    abort();
  p->value = value;
  p->name = strdup("item");
  p->next = next;
  return p;
}

static void add(struct item *to, const struct item *from) { to->value += from->value; }

static int in_structures(struct item *unique p) {
  {
    acre_alias(a, p);
    struct pair both = {a, a}, *by_address = &both;
    add(by_address->first, both.second);
    struct item *all[2] = {both.first, a};
    all[1]->value++;
    free(acre_swap(&a->name, strdup("renamed")));
    CHECK(p->value == all[0]->value && strcmp(both.second->name, "renamed") == 0);
  }
  int value = p->value;
  acre_drop(p);
  return value;
}

static int left_early(struct item *unique p, int how) {
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    acre_alias(a, p);
    struct pair both = {a, a};
    if (how == 0 && i == 1)
      continue;
    if (how == 1 && i == 2)
      break;
    if (how == 2 && i == 3)
      goto end;
    sum += both.second->value;
  }
end:
  acre_drop(p);
  return sum;
}

__attribute__((noinline)) static void leave(const struct item *borrowed p) {
  if (p->value)
    longjmp(again, p->value);
}

static int left_by_longjmp(void) {
  struct item *unique p = item_new(3, NULL);
  int caught = setjmp(again);
  if (caught == 0) {
    acre_alias(a, p);
    struct pair both = {a, a};
    leave(both.first);
  }
  int value = p->value;
  acre_drop(p);
  return value * 10 + caught;
}

static void gathered(void) {
  int ends[2];
  char got[16] = {0};
  CHECK(pipe(ends) == 0);
  char *unique one = strdup("for a "), *unique two = strdup("block");
  {
    acre_alias(a, one);
    acre_alias(b, two);
    struct iovec parts[2] = {{a, strlen(a)}, {b, strlen(b)}};
    CHECK(writev(ends[1], parts, 2) == 11);
  }
  free(one);
  free(two);
  CHECK(read(ends[0], got, sizeof got - 1) == 11 && strcmp(got, "for a block") == 0);
  close(ends[0]);
  close(ends[1]);
}

static int of_a_reference(void) {
  struct item *refcounted p = rc_new(struct item);
  {
    acre_alias(a, p);
    struct item *all[3] = {a, a, a};
    for (int i = 0; i < 3; i++)
      all[i]->value++;
    CHECK(acre_ref_count(a) == 1);
  }
  int value = p->value;
  rc_drop(p);
  return value;
}

int main(void) {
  CHECK(in_structures(item_new(4, item_new(5, NULL))) == 9);
  CHECK(left_early(item_new(1, NULL), 0) == 3);
  CHECK(left_early(item_new(1, NULL), 1) == 2);
  CHECK(left_early(item_new(1, NULL), 2) == 3);
  CHECK(left_by_longjmp() == 33);
  gathered();
  CHECK(of_a_reference() == 3);
  return 0;
}
