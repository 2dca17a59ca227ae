// A caller's variable, in a frame that waits in no call that may delete, points into the region of
// a block that ends.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+10]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: the end of the block of acre_scoped_region at [[FILE]]:[[@LINE+8]]
// ABORT-NEXT: 1. a local variable on the stack of function main points to node
// ABORT-SAME: allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
#include "../Inputs/check.h"
#include <acre/scope.h>

static NOINLINE void fill(node **out) {
  acre_scoped_region(r);
  *out = opaque(new_node(r));
}

int main(void) {
  node *n = NULL;
  fill(&n);
  return (int)n->value;
}
