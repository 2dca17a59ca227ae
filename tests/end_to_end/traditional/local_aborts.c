// RUN: %each_level --expect-abort "traditional" -o %t %s
// A traditional local variable rejects a pointer into a region.
#include "../Inputs/check.h"

int main(void) {
  node *traditional local = malloc(sizeof *local);
  local = opaque(new_node(newregion()));
  return local != 0;
}
