// A loop over one region rejects a pointer into another one after many that it accepted.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+16]]: in up: parentptr pointer may not point into the region
// ABORT-SAME: created at [[FILE]]:[[@LINE+23]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct item allocated at [[FILE]]:[[@LINE+25]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'up' of struct item allocated at [[FILE]]:[[@LINE+13]] in
// ABORT-SAME: the region created at [[FILE]]:[[@LINE+19]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+18]]
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};
struct item *volatile items[3];

static NOINLINE void up(region r) {
  for (long i = 0; i < 3; i++) {
    for (long j = 0; j < 10; j++)
      ralloc(r, struct item)->up = items[i];
    CHECK(i < 2);
  }
}

int main(void) {
  region top = newregion();
  region middle = newsubregion(top);
  region below = newsubregion(middle);
  items[0] = ralloc(top, struct item);
  items[1] = ralloc(middle, struct item);
  items[2] = ralloc(below, struct item);
  up(middle);
}
