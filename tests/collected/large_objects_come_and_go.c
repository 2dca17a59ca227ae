// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O0 larger
// RUN: %t.O2 larger
// RUN: env ACRE_HEAP=check %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// What is allocated in large pieces does not run away from a collection: each is followed by as
// much of it as its size is worth, and what grows in small steps is not copied at each.  Memory
// that is used again takes no fault for each page that a collection protected.
#include "Inputs/check.h"
#include <sys/resource.h>

enum {
  ALIVE = 4,
  PIECE = 1 << 20,
  PIECES = 1000,
  LARGE_PIECE = 10 << 20,
  LARGE_PIECES = 120,
  STEP = 4096,
  GROWN = 20 << 20
};

static struct rusage usage(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used;
}

static size_t most_memory(void) { return (size_t)usage().ru_maxrss << 10; }

__attribute__((noinline)) static void replace_pieces(size_t size, int count) {
  static char *pieces[ALIVE];
  for (int i = 0; i < count; i++) {
    free(pieces[i % ALIVE]);
    memset(pieces[i % ALIVE] = malloc(size), 'x', size);
  }
  memset(pieces, 0, sizeof pieces);
}

__attribute__((noinline)) static void grow(void) {
  char *text = NULL;
  size_t moves = 0;
  for (size_t size = 0; size < GROWN; size += STEP) {
    char *larger = realloc(text, size + STEP);
    CHECK(larger && (size == 0 || (larger[0] == 'x' && larger[size - 1] == 'x')) &&
          larger[size] == 0);
    moves += larger != text;
    memset(larger + size, 'x', STEP);
    text = larger;
  }
  CHECK(moves < 60);
}

int main(int argc, char **argv) {
  (void)argv;
  replace_pieces(PIECE, PIECES);
  CHECK(most_memory() < (size_t)100 << 20);
  if (argc > 1) {
    long faults = usage().ru_minflt;
    replace_pieces(LARGE_PIECE, LARGE_PIECES);
    /* Most often 149 MB, and sometimes a piece or two more. */
    CHECK(most_memory() < (size_t)190 << 20);
    CHECK(usage().ru_minflt - faults < LARGE_PIECES * (LARGE_PIECE / 4096 / 3));
  }
  grow();
  CHECK(most_memory() < (size_t)300 << 20);
  puts("ok");
}
