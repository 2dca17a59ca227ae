// A parentptr slot rejects a pointer into a subregion.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+18]]: in main: parentptr pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct item allocated at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'up' of struct item allocated at [[FILE]]:[[@LINE+12]] in
// ABORT-SAME: the region created at [[FILE]]:[[@LINE+9]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+8]]
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};

int main(void) {
  region parent = newregion();
  region child = newsubregion(parent);
  struct item *p = ralloc(parent, struct item);
  struct item *c = ralloc(child, struct item);
  c->up = p;
  p->up = c;
}
