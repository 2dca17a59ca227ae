// A traditional global rejects a pointer into a region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+11]]: in main: traditional pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: global variable 'global' ([[FILE]]{{(:[0-9]+)?}})
// ABORT-NEXT: held by the traditional region
#include "../Inputs/check.h"

node *traditional global;

int main(void) {
  global = malloc(sizeof *global);
  global = new_node(newregion());
}
