// RUN: %each_level --expect-abort "cannot delete" -o %t %s
// A caller's variable, in a frame that waits in no call that may delete, points into the region of a block that ends.
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
