/* SPDX-License-Identifier: MIT */
/* scratch.c - Hoard's cache-scratch: each thread frees a small block that the main thread gave it,
 * and then allocates one, writes to it a number of times, and frees it, over and over.  A malloc
 * that hands the first block on makes threads write to the same line of the cache.
 */
#include "shape.h"

enum { BYTES = 8, WRITES = 100 };

static size_t rounds, sums[THREADS_MAX];
static unsigned char *given[THREADS_MAX];

static void *work(void *number) {
  size_t sum = 0;
  free(given[(uintptr_t)number]);
  for (size_t i = 0; i < rounds; i++) {
    volatile unsigned char *p = malloc(BYTES);
    for (size_t j = 0; j < WRITES; j++)
      p[j % BYTES] = (unsigned char)(p[j % BYTES] * (j > BYTES) + j);
    sum += p[0];
    free((void *)p);
  }
  sums[(uintptr_t)number] = sum;
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  rounds = number_of(argc, argv, 2, 2000000) / threads;
  for (size_t i = 0; i < threads; i++)
    given[i] = malloc(BYTES);
  run_threads(threads, work);
  for (size_t i = 0; i < threads; i++)
    sum += sums[i];
  return report(sum);
}
