// RUN: %each_level -o %t %s -- -facre-malloc=collected
// Memory whose size is written as that of numbers keeps nothing alive; memory for bytes, words,
// records with pointers, and what was resized does.
#include "Inputs/check.h"
#include <stdint.h>

typedef struct point {
  double x, y;
  int name[4];
} point;
typedef struct buffer {
  char bytes[64];
} buffer;

enum { OBJECTS = 8, GARBAGE = 200 };

/* The bits of the only pointer to an object with a long tail. */
__attribute__((noinline)) static uintptr_t bits_of_list(void) {
  item *list = NULL;
  for (int i = 0; i < GARBAGE; i++) {
    item *fresh = new_item((unsigned long)i);
    fresh->next = list;
    list = fresh;
  }
  return (uintptr_t)list;
}

__attribute__((noinline)) static void fill(void *to) {
  uintptr_t bits = bits_of_list();
  memcpy(to, &bits, sizeof bits);
}

__attribute__((noinline)) static void clear_stack(void) {
  volatile char dead[8192];
  for (size_t i = 0; i < sizeof dead; i++)
    dead[i] = 0;
}

static void *volatile objects[OBJECTS];

/* Objects that live beside those of `objects`, by lists of GARBAGE. */
__attribute__((noinline)) static size_t lists_kept(size_t before) {
  clear_stack();
  return (live_objects() - before + GARBAGE / 2) / GARBAGE;
}

int main(void) {
  size_t n = 10, before = live_objects();
  double *numbers;
  objects[0] = numbers = malloc(n * sizeof *numbers);
  objects[1] = calloc(n, sizeof(int));
  objects[2] = malloc(sizeof(point));
  for (int i = 0; i < 3; i++)
    fill(objects[i]);
  /* A stale word may keep one of them. */
  CHECK(lists_kept(before) <= 1);

  objects[3] = malloc(n * sizeof(char));
  objects[4] = calloc(n, sizeof(uintptr_t));
  objects[5] = malloc(sizeof(buffer));
  objects[6] = malloc(n * sizeof(point));
  objects[7] = realloc(malloc(n * sizeof(float)), n * sizeof(float) + 8);
  for (int i = 3; i < OBJECTS; i++)
    fill(objects[i]);
  CHECK(lists_kept(before) >= 5);
  CHECK(acre_collected_check());
}
