// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=growth=1M %t.O0
// RUN: env ACRE_HEAP=growth=1M %t.O2
// RUN: env ACRE_HEAP=growth=1M,whole %t.O2
// What was alive once and is no longer goes back to the system, although the heap has no limit to
// come down to: small objects and big ones. What was freed is looked for at once, not after as much
// again has been allocated.
#include "Inputs/check.h"

enum { SMALL = 1100000, BIG = 60, BIG_BYTES = 500000 };
static item *list;
static char *blocks[BIG];

__attribute__((noinline)) static void fill(void) {
  for (int i = 0; i < SMALL; i++) {
    item *each = new_item((unsigned long)i);
    each->next = list;
    list = each;
  }
  for (int i = 0; i < BIG; i++)
    memset(blocks[i] = malloc(BIG_BYTES), 1, BIG_BYTES);
}

__attribute__((noinline)) static void drop(int is_freed) {
  for (item *each = list, *next; is_freed && each; each = next) {
    next = each->next;
    free(each);
  }
  list = NULL;
  for (int i = 0; i < BIG; i++) {
    if (is_freed)
      free(blocks[i]);
    blocks[i] = NULL;
  }
}

static acre_heap_stats stats(void) {
  acre_heap_stats now;
  acre_collected_get_stats(&now);
  return now;
}

static size_t mapped(void) {
  acre_heap_composition now;
  acre_collected_get_composition(&now);
  return now.pages;
}

__attribute__((noinline)) static void allocate_garbage(size_t bytes) {
  for (size_t done = 0; done < bytes; done += 100)
    memset(malloc(100), 1, 100);
}

int main(void) {
  for (int is_freed = 0; is_freed < 2; is_freed++) {
    fill();
    size_t full = mapped();
    CHECK(full > (60u << 20));
    acre_collected_collect();
    uint64_t collections = stats().collections, returned = stats().pages_returned;
    drop(is_freed);
    if (is_freed) {
      allocate_garbage(20 << 20);
      CHECK(stats().collections > collections);
    }
    acre_collected_collect();
    acre_collected_collect();
    allocate_garbage(6 << 20);
    CHECK(mapped() < full / 2);
    CHECK(stats().pages_returned > returned);
    CHECK(acre_collected_check());
  }
}
