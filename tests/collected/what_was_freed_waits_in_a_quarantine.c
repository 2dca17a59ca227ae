// RUN: %each_level -o %t %s -- -facre-malloc=quarantine
// RUN: env ACRE_HEAP=growth=64K %t.O2
// RUN: env ACRE_HEAP=growth=64K,check,poison %t.O2
// RUN: env ACRE_HEAP=growth=64K,whole %t.O2
// RUN: env ACRE_HEAP=growth=64K,increment=256,check %t.O2
// RUN: env ACRE_HEAP=growth=64K %t.O0
// With -facre-malloc=quarantine an object that was freed is used again only when nothing refers
// to it, be that its start, a place in it or its end; what it refers to itself is not kept by
// it.  What was never freed lives, whether or not something refers to it.  Of all sizes.
#include "Inputs/check.h"
#include <malloc.h>
#include <stdint.h>

enum { SIZES = 13, EACH = 20, ROUNDS = 40 };
static const size_t sizes[SIZES] = {1,    24,   100,   264,   265,   1000,   4000,
                                    8000, 8192, 20000, 65536, 300000, 2000000};

static char *volatile held[SIZES][EACH];
static uintptr_t hidden[SIZES][EACH]; /* their complements, which are no pointers */

static size_t offset_of(size_t size, int i) { return size / 2 * (size_t)(i % 3); }

__attribute__((noinline)) static void hold_freed(void) {
  for (int s = 0; s < SIZES; s++)
    for (int i = 0; i < EACH; i++) {
      char *p = malloc(sizes[s]);
      memset(p, s + 1, sizes[s]);
      hidden[s][i] = ~(uintptr_t)p;
      held[s][i] = p + offset_of(sizes[s], i);
      free(p);
    }
}

static int is_held(const char *p, size_t size) {
  for (int s = 0; s < SIZES; s++)
    for (int i = 0; i < EACH; i++) {
      const char *other = (const char *)~hidden[s][i];
      if (held[s][i] && p < other + sizes[s] && other < p + size)
        return 1;
    }
  return 0;
}

__attribute__((noinline)) static void allocate_and_free(void) {
  for (int s = 0; s < SIZES; s++)
    for (int i = 0; i < (s < 10 ? 10 * EACH : EACH); i++) {
      char *p = malloc(sizes[s]);
      CHECK(!is_held(p, sizes[s]));
      for (size_t at = 0; at < sizes[s]; at += 64)
        CHECK(p[at] == 0);
      memset(p, 99, sizes[s]);
      free(p);
    }
}

/* A collection clears what it finds, so that no pointer in it outlives its object. */
static void expect_unchanged_or_zero(void) {
  for (int s = 0; s < SIZES; s++)
    for (int i = 0; i < EACH; i++) {
      const char *p = (const char *)~hidden[s][i];
      CHECK((*p == s + 1 || *p == 0) && p[sizes[s] - 1] == *p);
    }
}

/* A list that was freed hangs on its first item, which something refers to: the rest goes. */
static item *volatile first;
__attribute__((noinline)) static void free_list(void) {
  for (unsigned long i = 0; i < 10000; i++) {
    item *fresh = new_item(i);
    fresh->next = first;
    first = fresh;
  }
  for (item *each = first, *next; each; each = next) {
    next = each->next;
    free(each);
  }
}

static size_t objects(void) {
  acre_heap_stats stats;
  acre_collected_get_stats(&stats);
  return stats.live_objects;
}

__attribute__((noinline)) static void lose(size_t count) {
  for (size_t i = 0; i < count; i++)
    *(void *volatile *)malloc(48) = NULL;
}

int main(void) {
  hold_freed();
  for (int round = 0; round < ROUNDS; round++)
    allocate_and_free();
  acre_collected_collect();
  acre_collected_collect();
  allocate_and_free();
  expect_unchanged_or_zero();
  /* Written after it was freed, and used again: it is zero for whoever gets it. */
  for (int s = 0; s < SIZES; s++)
    for (int i = 0; i < EACH; i++) {
      memset((char *)~hidden[s][i], 77, sizes[s]);
      held[s][i] = NULL;
    }
  allocate_and_free();
  acre_collected_collect();
  allocate_and_free();

  size_t before = live_objects();
  free_list();
  CHECK(live_objects() < before + 1000);
  CHECK(first->next == NULL && first->number == 0 && first->complement == 0);
  before = live_objects();
  lose(5000);
  acre_collected_collect();
  acre_collected_collect();
  CHECK(objects() + 100 >= before + 5000);
  CHECK(acre_collected_check());
}
