// Interpreters keep pointers in the lower bits of numbers that no calculation makes (NaNs). Janet's
// channels were collected while a table of such values referred to them.
// RUN: %acre-cc -O1 -facre-malloc=collected %s -o %t && ACRE_HEAP=check %t
// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t.quarantine && ACRE_HEAP=check %t.quarantine
#include <acre/collected.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 64, TYPES = 16, SMALL = 100, LARGE = 20000, ARRAY = 3000 };

static uint64_t in_data[OBJECTS];

/* The upper 17 bits of a value: a NaN of either sign, with a type. */
static uint64_t box(const void *p, unsigned type) {
  uint64_t tag = (type % 2 ? UINT64_C(0x1fff0) : UINT64_C(0x0fff0)) | type % TYPES;
  return tag << 47 | (uintptr_t)p;
}

static char *unbox(uint64_t value) { return (char *)(uintptr_t)(value << 17 >> 17); }

static size_t size_of(unsigned i) { return i % 2 ? LARGE : SMALL; }

static __attribute__((noinline)) void fill(uint64_t *values, int is_freed) {
  for (unsigned i = 0; i < OBJECTS; i++) {
    char *p = malloc(size_of(i));
    memset(p, (int)i + 1, size_of(i));
    values[i] = box(p, i);
    if (is_freed)
      free(p);
  }
}

static void churn(void) {
  for (int round = 0; round < 3; round++) {
    acre_collected_collect();
    for (unsigned i = 0; i < 4 * OBJECTS; i++)
      memset(malloc(size_of(i)), 0xee, size_of(i));
  }
}

/* A freed object that is still referred to may be cleared, but is no other one. */
static int are_kept(const uint64_t *values, int is_freed) {
  for (unsigned i = 0; i < OBJECTS; i++)
    for (size_t at = 0; at < size_of(i); at++) {
      char *p = unbox(values[i]);
      if (p[at] != (char)(i + 1) && !(is_freed && p[at] == 0))
        return 0;
    }
  return 1;
}

int main(void) {
  uint64_t *in_array = calloc(ARRAY, sizeof *in_array);
  uint64_t *in_cell = malloc(OBJECTS * sizeof *in_cell);
  uint64_t freed[OBJECTS];
  fill(in_data, 0);
  fill(in_array + ARRAY - OBJECTS, 0);
  fill(in_cell, 0);
  fill(freed, 1);
  churn();
  int is_right = are_kept(in_data, 0) && are_kept(in_array + ARRAY - OBJECTS, 0) &&
                 are_kept(in_cell, 0) && are_kept(freed, 1);
  return !(is_right && acre_collected_check());
}
