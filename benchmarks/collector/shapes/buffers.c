/* SPDX-License-Identifier: MIT */
/* buffers.c - buffers of 300 bytes to 8 KB: as a program has them for lines, messages and rows.  A
 * thousand live in a table, and one after the other is replaced.
 */
#include "shape.h"

enum { BUFFERS = 1000 };

static size_t rounds, sums[THREADS_MAX];

static void *work(void *number) {
  unsigned char *table[BUFFERS] = {0};
  uint64_t random = (uintptr_t)number + 1;
  size_t sum = 0;
  for (size_t i = 0; i < rounds; i++) {
    size_t at = next_random(&random) % BUFFERS;
    sum += table[at] ? table[at][0] : 0;
    free(table[at]);
    table[at] = make_block(size_between(&random, 300, 8192));
  }
  for (size_t i = 0; i < BUFFERS; i++)
    free(table[i]);
  sums[(uintptr_t)number] = sum;
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  rounds = number_of(argc, argv, 2, 1000000) / threads;
  run_threads(threads, work);
  for (size_t i = 0; i < threads; i++)
    sum += sums[i];
  return report(sum);
}
