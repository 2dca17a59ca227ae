// A copy of a small object with a union checks its parentptr slot: up is right, down is not.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+16]]: in move: parentptr pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+18]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct upward allocated at [[FILE]]:[[@LINE+18]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'up' of struct upward allocated at [[FILE]]:[[@LINE+17]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+15]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+14]]
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
