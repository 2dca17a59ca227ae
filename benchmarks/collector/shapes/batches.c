/* SPDX-License-Identifier: MIT */
/* batches.c - as sh6bench and sh8bench: blocks of many sizes, small ones more often, are allocated
 * in batches; some batches are freed in the order in which they were made, some backwards, and of
 * some every second block first.
 */
#include "shape.h"

enum { BATCHES = 50, BLOCKS = 400, LARGEST = 1000 };

static size_t rounds, sums[THREADS_MAX];

/* One in so many sizes is as likely as all that are larger. */
static size_t choose_size(uint64_t *random) {
  size_t most = 32;
  while (most < LARGEST && next_random(random) % 3 == 0)
    most *= 2;
  return size_between(random, 1, most < LARGEST ? most : LARGEST);
}

static void free_batch(unsigned char **blocks, size_t order) {
  for (size_t i = 0; i < BLOCKS; i++) {
    size_t at = order == 0 ? i : order == 1 ? BLOCKS - 1 - i : i * 2 % BLOCKS + (i >= BLOCKS / 2);
    free(blocks[at]);
    blocks[at] = NULL;
  }
}

static void *work(void *number) {
  static unsigned char *all[THREADS_MAX][BATCHES][BLOCKS];
  uint64_t random = (uintptr_t)number + 1;
  size_t sum = 0;
  for (size_t i = 0; i < rounds; i++) {
    unsigned char **blocks = all[(uintptr_t)number][next_random(&random) % BATCHES];
    free_batch(blocks, i % 3);
    for (size_t j = 0; j < BLOCKS; j++) {
      blocks[j] = make_block(choose_size(&random));
      sum += blocks[j][0];
    }
  }
  sums[(uintptr_t)number] = sum;
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  rounds = number_of(argc, argv, 2, 5000000) / BLOCKS / threads;
  run_threads(threads, work);
  for (size_t i = 0; i < threads; i++)
    sum += sums[i];
  return report(sum);
}
