// A pointer into an arena is still in a global when the arena is closed.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot close the region created at [[FILE]]:[[@LINE+13]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: the end of the block of acre_open at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: 1. global variable 'kept' ([[FILE]]{{(:[0-9]+)?}}) points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
#include "../Inputs/check.h"
#include <acre/scope.h>

static node *kept;
static NOINLINE void keep(node *n) { kept = n; }

int main(void) {
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    keep(new_node(r));
  }
  long value = kept->value;
  acre_key_drop(key);
  return (int)value;
}
