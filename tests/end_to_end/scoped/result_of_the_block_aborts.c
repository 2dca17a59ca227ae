// RUN: %each_level --expect-abort "cannot delete" -o %t %s
// The result of a function points into the region of a block that returning it ends.
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
