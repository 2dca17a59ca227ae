// The result of a function points into the region of a block that returning it ends.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+11]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: the end of the block of acre_scoped_region at [[FILE]]:[[@LINE+9]]
// ABORT-NEXT: 1. {{an unnamed value|local variable 'list'}} of function make, live across the call
// ABORT-SAME: at [[FILE]]:[[@LINE+7]], points to node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// ABORT-SAME: using it, before
#include "../Inputs/check.h"
#include <acre/scope.h>

static node *make(void) {
  acre_scoped_region(r);
  node *list = opaque(new_node(r));
  return list;
}

int main(void) {
  node *n = make();
  return (int)n->value;
}
