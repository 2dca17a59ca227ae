// The handle of an arena that was closed is no way into it.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: ralloc: the arena created at [[FILE]]:[[@LINE+8]] is not open
// ABORT-NEXT: ralloc called at check.h:{{[0-9]+}} in new_node
#include "../Inputs/check.h"
#include <acre/scope.h>

static acre_region handle;

int main(void) {
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    handle = r;
    (void)new_node(r);
  }
  node *n = new_node(handle);
  acre_key_drop(key);
  return (int)n->value;
}
