// RUN: %acre-cc -facre-malloc=collected -O2 -o %t %s
// RUN: %t
// RUN: env ACRE_HEAP=whole %t
// RUN: env ACRE_HEAP=growth=256K %t
// RUN: env ACRE_HEAP=growth=256K,poison %t wander
// RUN: env ACRE_HEAP=growth=256K,increment=256,poison %t wander
// RUN: env ACRE_HEAP=growth=256K,whole,poison %t wander
// A large object may never be touched whole: what was not is neither read nor cleared, and
// is searched once it is written.
#include "Inputs/check.h"

enum { ITEMS = 200, PLACES = 4000, STRIDE = 600, MOVES = 5000, TURNS = 40, UNTOUCHED = 4 };

static long kilobytes_of(const char *name) {
  char line[256];
  long kilobytes = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, name, strlen(name)) == 0)
      kilobytes = atol(line + strlen(name));
  if (f)
    fclose(f);
  return kilobytes;
}

static unsigned below(unsigned end) {
  static unsigned state = 1;
  state = state * 1103515245 + 12345;
  return (state >> 8) % end;
}

/* Items move through arrays, to pages that nothing was on before: each is held by one word. */
static void wander(void) {
  item **places = NULL;
  unsigned at[ITEMS];
  acre_heap_stats stats;
  for (unsigned turn = 0; turn < TURNS; turn++) {
    item **fresh = calloc(PLACES * STRIDE, sizeof *places);
    for (unsigned i = 0; i < ITEMS; i++)
      fresh[i * STRIDE] = places ? places[at[i] * STRIDE] : new_item(i);
    for (unsigned i = 0; i < ITEMS; i++)
      at[i] = i;
    places = fresh;
    for (unsigned moved = 0; moved < MOVES; moved++) {
      unsigned i = below(ITEMS), to = below(PLACES);
      CHECK(is_whole(places[at[i] * STRIDE], i));
      if (!places[to * STRIDE]) {
        places[to * STRIDE] = places[at[i] * STRIDE];
        places[at[i] * STRIDE] = NULL;
        at[i] = to;
      }
      memset(malloc(2000), 1, 2000);
    }
  }
  for (unsigned i = 0; i < ITEMS; i++)
    CHECK(is_whole(places[at[i] * STRIDE], i));
  acre_collected_get_stats(&stats);
  CHECK(stats.collections > TURNS / 2);
}

static void hold_untouched(void) {
  void *volatile untouched[UNTOUCHED];
  for (int i = 0; i < UNTOUCHED; i++)
    untouched[i] = malloc((size_t)512 << 20);
  long before = kilobytes_of("VmPTE:");
  churn();
  CHECK(kilobytes_of("VmPTE:") - before < 2048);
  before = kilobytes_of("VmHWM:");
  for (int i = 0; i < 300000; i++)
    memset(malloc(1000), 1, 1000);
  CHECK(kilobytes_of("VmHWM:") - before < 100 << 10);
  for (int i = 0; i < UNTOUCHED; i++)
    free(untouched[i]);
}

static void replace_hardly_touched(void) {
  size_t size = (size_t)64 << 20;
  long before = kilobytes_of("VmHWM:");
  for (int i = 0; i < 100; i++) {
    char *p = malloc(size);
    for (size_t at = (size_t)i % 7 * 1000; at < size; at += size / 16) {
      CHECK(p[at] == 0);
      memset(p + at, 1, 5000);
    }
    free(p);
  }
  CHECK(kilobytes_of("VmHWM:") - before < 100 << 10);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    wander();
  } else {
    hold_untouched();
    replace_hardly_touched();
  }
}
