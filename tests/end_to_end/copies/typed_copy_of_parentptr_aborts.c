// RUN: %each_level --expect-abort "parentptr" -o %t %s
// A copy of a small object with a union checks its parentptr slot: up is right, down is not.
#include "../Inputs/check.h"

struct upward {
  struct upward *parentptr up;
  union {
    node *p;
    long n;
  } u;
};

static NOINLINE void move(volatile struct upward *to, struct upward *from) { *to = *from; }

int main(void) {
  region parent = newregion(), child = newsubregion(parent);
  struct upward *p = ralloc(parent, struct upward), *c = ralloc(child, struct upward);
  struct upward *d = ralloc(child, struct upward);
  c->up = p;
  move(d, c);
  CHECK(d->up == p);
  d->up = c;
  move(p, c);
  move(p, d);
}
