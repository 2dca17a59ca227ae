// Conservative frames spare what a frame holds and nothing else: the report names the global, and
// not the local that holds the same pointer.
// RUN: %each_level --expect-abort -o %t %s -- -facre-frames=conservative
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+11]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: 1. global variable 'some_global' ([[FILE]]{{(:[0-9]+)?}}) points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
#include "../Inputs/check.h"

node *some_global;

int main(void) {
  region r = newregion();
  node *some_local = new_node(r);
  some_global = some_local;
  deleteregion(r);
  return (int)some_local->value;
}
