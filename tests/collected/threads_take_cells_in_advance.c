// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=64K %t.O2 3
// RUN: env ACRE_HEAP=poison,growth=64K,increment=512,check,limit=64M %t.O2 4
// Objects of all sizes from the cells that a thread took in advance: whole, zero, apart from each
// other, of the size that was asked for, kept by pointers of any kind; and what a thread that has
// ended took, and did not use, is reclaimed.
#include "Inputs/check.h"
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 4, ROUNDS = 300, SMALL = 300, LARGEST = 9000 };

typedef struct block {
  struct block *next;
  size_t size;
  unsigned char bytes[];
} block;

static void *work(void *argument) {
  unsigned state = (unsigned)(uintptr_t)argument * 2654435761u;
  block *all = NULL;
  for (int i = 0; i < ROUNDS; i++) {
    state = state * 1664525 + 1013904223;
    size_t size = sizeof(block) + (state >> 8) % (i % 8 ? SMALL : LARGEST);
    block *b = state >> 30 ? malloc(size) : calloc(1, size);
    CHECK((uintptr_t)b % 16 == 0 && malloc_usable_size(b) >= size);
    for (size_t at = 0; at < size; at++)
      CHECK(((unsigned char *)b)[at] == 0);
    *b = (block){all, size, {}};
    memset(b->bytes, (int)(size & 255), size - sizeof *b);
    all = i % 50 ? b : NULL;
    if (i % 3 == 0)
      free(strndup("a text that is copied", state >> 28));
  }
  for (const block *b = all; b; b = b->next)
    for (size_t at = 0; at < b->size - sizeof *b; at++)
      CHECK(b->bytes[at] == (unsigned char)b->size);
  return NULL;
}

static void run_threads(unsigned seed) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + seed)) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
  unsigned seed = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
  CHECK(malloc(SIZE_MAX) == NULL && malloc(SIZE_MAX - 6) == NULL &&
        calloc(SIZE_MAX / 2, 3) == NULL);
  work((void *)(uintptr_t)seed);
  run_threads(seed);
  size_t before = live_objects();
  for (unsigned i = 0; i < 20; i++)
    run_threads(seed + i);
  /* 80 threads ran. The C library keeps the stacks of four, with what they had taken: up to a page
   * of each size up to 264 bytes, 1760 cells, and 16 or less of each larger one. */
  CHECK(live_objects() < before + 4 * (1760 + 15 * 16) + 500);
  CHECK(acre_collected_check());
}
