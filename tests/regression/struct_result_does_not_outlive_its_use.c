// The memory of a struct result counted until the function returned and refused deletes after its
// last use.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct large {
  node *slots[5];
};
static NOINLINE struct large make(node *n) { return (struct large){{n, n, n, n, n}}; }

int main(void) deletes {
  region r = newregion();
  CHECK(make(new_node(r)).slots[3]->value == 42);
  CHECK(deleteregion(r));
}
