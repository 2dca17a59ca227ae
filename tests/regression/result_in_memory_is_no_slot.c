// A large record with annotated slots was checked where its function made it, in the caller's
// frame, and so rejected.
// RUN: %each_level -o %t %s
#include <acre/region.h>

#define NOINLINE __attribute__((noinline))
struct record {
  struct record *sameregion next;
  const char *traditional name;
  long a, b, c;
};

NOINLINE static struct record make(region r) {
  struct record made = {0};
  made.next = ralloc(r, struct record);
  made.name = "made";
  made.a = 1;
  return made;
}

NOINLINE static struct record copy(struct record *from) {
  struct record copied = *from;
  copied.a++;
  return copied;
}

NOINLINE static struct record pass_on(region r) { return make(r); }

/* What the result points to is still needed: the delete waits for the caller's frame. */
NOINLINE static struct record make_and_delete(region r) deletes {
  struct record made = {0};
  made.next = ralloc(r, struct record);
  made.a = deleteregion(r);
  return made;
}

int main(void) {
  region r = newregion(), s = newregion();
  struct record *x = ralloc(r, struct record);
  *x = make(r);
  *x = copy(x);
  *x->next = pass_on(r);
  struct record local = make(s);
  if (x->a != 2 || x->next->a != 1 || local.next->next)
    return 1;
  acre_region_set_delete_policy(s, ACRE_DELETE_REFUSE);
  struct record held = make_and_delete(s);
  if (held.a || held.next->next || acre_region_of(held.next) != s)
    return 2;
  x->next = NULL;
  return !deleteregion(s) || !deleteregion(r);
}
