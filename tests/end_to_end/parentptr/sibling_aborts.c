// A parentptr slot rejects a pointer into a sibling region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+18]]: in main: parentptr pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct item allocated at [[FILE]]:[[@LINE+15]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'up' of struct item allocated at [[FILE]]:[[@LINE+13]] in
// ABORT-SAME: the region created at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+9]]
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};

int main(void) {
  region parent = newregion();
  region one = newsubregion(parent);
  region two = newsubregion(parent);
  struct item *a = ralloc(one, struct item);
  struct item *b = ralloc(two, struct item);
  a->up = b;
}
