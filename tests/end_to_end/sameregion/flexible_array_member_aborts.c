// A sameregion slot in a flexible array member is checked by assignment.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+19]]: in main: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'items[9]' of struct internal allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+13]] in the region created at [[FILE]]:[[@LINE+11]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+10]]
#include "../Inputs/check.h"

struct internal {
  int length;
  node *sameregion items[];
};

int main(void) {
  region r = newregion();
  region s = newregion();
  struct internal *in = acre_region_alloc(s, sizeof *in + 10 * sizeof in->items[0],
                                          _Alignof(struct internal), ACRE_TYPE(struct internal));
  in->items[9] = new_node(s);
  in->items[9] = new_node(r);
}
