// RUN: %each_level --expect-abort "traditional" -o %t %s
// A traditional global rejects a pointer into a region.
#include "../Inputs/check.h"

node *traditional global;

int main(void) {
  global = malloc(sizeof *global);
  global = new_node(newregion());
}
