// RUN: %acre-cc -O2 -facre-malloc=collected %s -o %t
// RUN: env ACRE_HEAP=budget=0 %t > %t.unbounded
// RUN: env ACRE_HEAP=budget=1 %t > %t.few
// RUN: env ACRE_HEAP=growth=2M %t > %t.growth
// RUN: test $(cat %t.few) -lt $(cat %t.unbounded)
// RUN: test $(cat %t.few) -lt $(cat %t.growth)
// RUN: test $(cat %t.few) -gt 5
// A program that does nothing but allocate waits longer for its next collection than one that may
// spend all of its time on them, but not for ever; and where the growth is said the budget is not
// asked.
#include "Inputs/check.h"

enum { KEPT = 20000, MADE = 6000000 };

int main(void) {
  static item *kept[KEPT];
  for (unsigned long i = 0; i < MADE; i++) {
    item *made = new_item(i);
    if (i < KEPT)
      kept[i] = made;
    else
      free(made);
  }
  for (unsigned long i = 0; i < KEPT; i++)
    CHECK(is_whole(kept[i], i));
  acre_heap_stats stats;
  acre_collected_get_stats(&stats);
  printf("%d\n", (int)stats.collections);
}
