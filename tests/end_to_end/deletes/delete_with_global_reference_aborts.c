// By default a delete that would leave a global dangling aborts and names the global.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+11]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+11]]
// ABORT-NEXT: 1. global variable 'some_global' ([[FILE]]{{(:[0-9]+)?}}) points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
#include "../Inputs/check.h"

node *some_global;

int main(void) deletes {
  region r = newregion();
  some_global = new_node(r);
  deleteregion(r);
}
