// Where structures that are passed by value lie in the caller's frame, as on ARM64, a store to a
// member of one was checked by the rule of its type, and a correct program ended.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct large {
  int *sameregion number;
  long more[3];
};

NOINLINE static int change(struct large value, int *number) {
  value.number = number;
  opaque(number);
  return *value.number;
}

int main(void) {
  region r = newregion(), other = newregion();
  struct large *large = ralloc(r, struct large);
  int *number = ralloc(other, int);
  *number = 42;
  CHECK(change(*large, number) == 42);
}
