// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O0
// RUN: %t.O2
// RUN: env ACRE_HEAP=growth=256K,pause=0,poison %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// An object as large as a page of the system, as buffers are, takes no second one for its header.
#include "Inputs/check.h"
#include <sys/resource.h>

enum { OBJECTS = 10000, SIZE = 4096 };

static size_t most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss << 10;
}

int main(void) {
  static char *objects[OBJECTS];
  for (int size = SIZE - 16; size <= SIZE; size += 16) {
    for (int i = 0; i < OBJECTS; i++)
      memset(objects[i] = malloc((size_t)size), i, (size_t)size);
    CHECK(most_memory() < (size_t)(size + 16 - (SIZE - 16)) / 16 * OBJECTS * SIZE * 5 / 4);
    for (int i = 0; i < OBJECTS; i++)
      CHECK(objects[i][0] == (char)i && objects[i][size - 1] == (char)i);
  }
  objects[0] = realloc(objects[0], 2 * SIZE);
  CHECK(objects[0][SIZE - 1] == 0 && objects[1][SIZE - 1] == 1);
  puts("ok");
}
