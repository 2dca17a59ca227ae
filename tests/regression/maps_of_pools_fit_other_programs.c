// A program that has functions of a map, but not the variable that names their pool, could not be
// linked: PostgreSQL's clients.
// RUN: printf 'pool arena\nalloc palloc(size) of current\nrelease pfree(object)\n' > %t.map
// RUN: printf 'create arena_make()\n' >> %t.map
// RUN: %each_level -o %t %s -- -facre-pools=%t.map
// RUN: %each_level -o %t %s -- -facre-pools=%t.map -fPIC -pie
#include <stdlib.h>

__attribute__((noinline)) void *palloc(size_t size) { return malloc(size); }
__attribute__((noinline)) void pfree(void *object) { free(object); }

int main(void) {
  int **first = palloc(sizeof *first), *second = palloc(sizeof *second);
  *first = second;
  **first = 7;
  int failed = *second != 7;
  pfree(*first);
  pfree(first);
  return failed;
}
