// An object of no bytes came from the pool's region, where the program's function returns null.
// RUN: printf 'pool arena\ncreate arena_make()\nalloc arena_get(pool, size)\n' > %t.map
// RUN: printf 'copy arena_copy(pool, from, size)\ndestroy arena_end(pool)\n' >> %t.map
// RUN: %each_level -o %t %s -- -facre-pools=%t.map
// RUN: %clang -O1 -DPLAIN %s -o %t.plain && %t.plain
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
#define IS_PLAIN 1
#else
#define IS_PLAIN 0
#include <acre/pool.h>
#endif

typedef struct arena {
  char bytes[1024];
  size_t used;
} arena;

__attribute__((noinline)) arena *arena_make(void) { return calloc(1, sizeof(arena)); }
__attribute__((noinline)) void *arena_get(arena *a, size_t size) {
  if (size == 0)
    return NULL;
  a->used += size;
  return a->bytes + a->used - size;
}
__attribute__((noinline)) void *arena_copy(arena *a, const void *from, size_t size) {
  return size ? memcpy(arena_get(a, size), from, size) : a->bytes;
}
__attribute__((noinline)) void arena_end(arena *a) { free(a); }

int main(void) {
  arena *a = arena_make();
  volatile size_t none = 0, some = 8;
  char *taken = arena_get(a, some);
  int failed = arena_get(a, none) != NULL || arena_copy(a, taken, none) != a->bytes ||
               memcmp(arena_copy(a, "copied!", some), "copied!", some) != 0;
#ifndef PLAIN
  failed |= acre_region_of(taken) != acre_region_of_pool(a);
#endif
  failed |= IS_PLAIN != (taken == a->bytes);
  arena_end(a);
  return failed;
}
