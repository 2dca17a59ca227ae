// A large struct passed by value is a copy in the callee: counted while exposed there, released
// when it returns.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct large {
  node *slots[6];
  long pad;
};
static struct large *escaped;

static NOINLINE void expose(struct large l, region r) deletes {
  escaped = opaque(&l);
  CHECK_HELD(r, 12);
  l.slots[0] = 0;
  CHECK_HELD(r, 11);
}
static NOINLINE long quiet(struct large l, region r) {
  CHECK_COUNT(r, 6);
  return l.slots[5]->value;
}
static NOINLINE void deleting(struct large l, region r) deletes {
  DELETE_REFUSED(r);
  CHECK(l.slots[3]->value == 42);
}

int main(void) deletes {
  region r = newregion();
  struct large *l = malloc(sizeof *l);
  for (int i = 0; i < 6; i++)
    l->slots[i] = new_node(r);
  expose(*l, r);
  escaped = 0;
  CHECK_COUNT(r, 6);
  CHECK(quiet(*l, r) == 42);
  struct large copy = *l;
  free(l);
  CHECK_COUNT(r, 0);
  deleting(copy, r);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
