// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O0
// RUN: %t.O2
// RUN: env ACRE_HEAP=growth=64K,pause=0 %t.O2
// RUN: env ACRE_HEAP=poison,growth=64K %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// malloc and calloc clear what an earlier object left: a pointer there would be to freed memory.
// What the C library sets at once is not cleared, and all of it is set: realloc keeps what was
// there, and what strdup copies ends where it should.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <malloc.h>
#include <wchar.h>

enum { ROUNDS = 6, SIZES = 14 };
static const size_t sizes[SIZES] = {8,    264,   272,   1000,  1024,   1025,   4096,
                                    8184, 8192, 8193, 20000, 100000, 400000, 1500000};

static int is_filled(const char *p, size_t size, char with) {
  for (size_t i = 0; i < size; i++)
    if (p[i] != with)
      return 0;
  return 1;
}

static void dirty(size_t size) {
  for (int i = 0; i < 4; i++) {
    char *p = malloc(size);
    memset(p, 0xab, malloc_usable_size(p));
    free(p);
  }
}

static void check(size_t size) {
  char *p = calloc(1, size), *numbers = (char *)(int *)calloc(size / sizeof(int), sizeof(int));
  CHECK(is_filled(p, size, 0));
  char *fresh = malloc(size);
  CHECK(is_filled(fresh, size, 0));
  free(fresh);
  CHECK(is_filled(numbers, size / sizeof(int) * sizeof(int), 0));
  free(numbers);
  memset(p, 'x', size);
  p = realloc(p, size + size / 8 + 1);
  CHECK(is_filled(p, size, 'x'));
  p = realloc(p, 3 * size);
  CHECK(is_filled(p, size, 'x'));
  p[size] = 0;
  char *copy = strdup(p), *part = strndup(p, size / 2), *made;
  CHECK(strlen(copy) == size && is_filled(copy, size, 'x'));
  CHECK(strlen(part) == size / 2 && is_filled(part, size / 2, 'x'));
  CHECK(asprintf(&made, "%s.", p) == (int)size + 1 && strlen(made) == size + 1);
  wchar_t *wide = malloc((size + 1) * sizeof *wide), *wide_copy;
  wmemset(wide, L'y', size);
  wide[size] = 0;
  wide_copy = wcsdup(wide);
  CHECK(wcslen(wide_copy) == size && !wcscmp(wide, wide_copy));
  free(wide_copy);
  free(wide);
  free(made);
  free(part);
  free(copy);
  free(p);
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < SIZES; i++) {
      dirty(sizes[i]);
      check(sizes[i]);
    }
  puts("ok");
}
