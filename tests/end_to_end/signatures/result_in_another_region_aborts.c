// RUN: %each_level --expect-abort "inregion pointer may not point into region 's'" -o %t %s
// A function whose result is not where its signature says is stopped at its return.
#include "../Inputs/check.h"

struct item {
  struct item *next;
};

__attribute__((noinline)) static struct item *inregion(r) pick(region r, struct item *a, struct item *b, int first) {
  (void)r;
  return first ? a : b;
}

int main(void) {
  region r = newregion(), s = newregion();
  acre_region_set_name(s, "s");
  struct item *a = ralloc(r, struct item), *b = ralloc(s, struct item);
  volatile int choice = 1;
  CHECK(pick(r, a, b, choice) == a);
  choice = 0;
  return pick(r, a, b, choice) == a;
}
