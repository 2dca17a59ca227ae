// RUN: %each_level --expect-abort "parentptr" -o %t %s
// A loop over one region rejects a pointer into another one after many that it accepted.
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};
struct item *volatile items[3];

static NOINLINE void up(region r) {
  for (long i = 0; i < 3; i++) {
    for (long j = 0; j < 10; j++)
      ralloc(r, struct item)->up = items[i];
    CHECK(i < 2);
  }
}

int main(void) {
  region top = newregion(), middle = newsubregion(top), below = newsubregion(middle);
  items[0] = ralloc(top, struct item);
  items[1] = ralloc(middle, struct item);
  items[2] = ralloc(below, struct item);
  up(middle);
}
