// RUN: %each_level --expect-abort "parentptr" -o %t %s
// A parentptr slot rejects a pointer into a sibling region.
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};

int main(void) {
  region parent = newregion(), one = newsubregion(parent), two = newsubregion(parent);
  struct item *a = ralloc(one, struct item), *b = ralloc(two, struct item);
  a->up = b;
}
