// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O0
// RUN: %t.O2
// RUN: env ACRE_HEAP=check %t.O2
// What is allocated in large pieces does not run away from a collection: each is followed by as much of it as its size is worth, and
// what grows in small steps is not copied at each.
#include "Inputs/check.h"
#include <sys/resource.h>

enum { ALIVE = 4, PIECE = 1 << 20, PIECES = 1000, STEP = 4096, GROWN = 20 << 20 };

static size_t most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss << 10;
}

__attribute__((noinline)) static void replace_pieces(void) {
  static char *pieces[ALIVE];
  for (int i = 0; i < PIECES; i++) {
    free(pieces[i % ALIVE]);
    memset(pieces[i % ALIVE] = malloc(PIECE), 'x', PIECE);
  }
  memset(pieces, 0, sizeof pieces);
}

__attribute__((noinline)) static void grow(void) {
  char *text = NULL;
  size_t moves = 0;
  for (size_t size = 0; size < GROWN; size += STEP) {
    char *larger = realloc(text, size + STEP);
    CHECK(larger && (size == 0 || (larger[0] == 'x' && larger[size - 1] == 'x')) && larger[size] == 0);
    moves += larger != text;
    memset(larger + size, 'x', STEP);
    text = larger;
  }
  CHECK(moves < 60);
}

int main(void) {
  replace_pieces();
  CHECK(most_memory() < (size_t)100 << 20);
  grow();
  CHECK(most_memory() < (size_t)300 << 20);
  puts("ok");
}
