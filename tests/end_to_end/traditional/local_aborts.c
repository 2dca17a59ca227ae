// A traditional local variable rejects a pointer into a region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+7]]: in main: traditional pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+6]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
#include "../Inputs/check.h"

int main(void) {
  node *traditional local = malloc(sizeof *local);
  local = opaque(new_node(newregion()));
  return local != 0;
}
