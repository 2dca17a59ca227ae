// A function whose result is not where its signature says is stopped at its return.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+13]]: in pick: inregion pointer may not point into region
// ABORT-SAME: 's' (created at [[FILE]]:[[@LINE+17]])
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct item allocated at [[FILE]]:[[@LINE+19]]
// ABORT-NEXT: wanted: the region created at [[FILE]]:[[@LINE+14]]
#include "../Inputs/check.h"

struct item {
  struct item *next;
};

__attribute__((noinline)) static struct item *inregion(r) pick(region r, struct item *a,
                                                               struct item *b, int first) {
  (void)r;
  return first ? a : b;
}

int main(void) {
  region r = newregion();
  region s = newregion();
  acre_region_set_name(s, "s");
  struct item *a = ralloc(r, struct item);
  struct item *b = ralloc(s, struct item);
  volatile int choice = 1;
  CHECK(pick(r, a, b, choice) == a);
  choice = 0;
  return pick(r, a, b, choice) == a;
}
