// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=limit=32M %t.O2
// What nothing refers to goes, cycles too: a program allocates far more than its heap may hold, and
// frees nothing.
#include "Inputs/check.h"

__attribute__((noinline)) static void make_rings(int rings, int length) {
  for (int i = 0; i < rings; i++) {
    item *first = new_item(0), *last = first;
    for (int j = 1; j < length; j++)
      last = last->next = new_item((unsigned long)j);
    last->next = first;
  }
}

int main(void) {
  size_t before = live_objects();
  for (int i = 0; i < 30; i++)
    make_rings(1000, 100);
  for (int i = 0; i < 50; i++)
    memset(malloc(4 << 20), 1, 4 << 20);
  /* A stale word may keep a ring or two. */
  CHECK(live_objects() < before + 5000);
  CHECK(acre_collected_check());
}
