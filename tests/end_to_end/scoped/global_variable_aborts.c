// A global still points into a block's region when the block ends: a store that no compiler can
// judge.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+14]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: the end of the block of acre_scoped_region at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: 1. global variable 'kept' ([[FILE]]{{(:[0-9]+)?}}) points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
#include "../Inputs/check.h"
#include <acre/scope.h>

static node *kept;

static NOINLINE void keep(node *n) { kept = n; }

static long use(void) {
  acre_scoped_region(r);
  keep(new_node(r));
  return kept->value;
}

int main(void) { return (int)use(); }
