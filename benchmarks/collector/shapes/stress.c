/* SPDX-License-Identifier: MIT */
/* stress.c - as mimalloc's mstress: threads allocate arrays of words that are mostly small and now
 * and then large, keep some of them to the end of their work, free most soon, and exchange some
 * with other threads through a table.
 */
#include "shape.h"

enum { SHARED = 1000, LOCAL = 2000, KEPT_PART = 16, EXCHANGED_PART = 8 };

typedef struct block {
  uint64_t count, words[];
} block;

static block *shared[SHARED];
static size_t rounds, sums[THREADS_MAX];

static block *make(uint64_t *random) {
  size_t count = next_random(random) % 16   ? size_between(random, 1, 32)
                 : next_random(random) % 32 ? size_between(random, 32, 512)
                                            : size_between(random, 512, 16384);
  block *b = malloc(sizeof *b + count * sizeof *b->words);
  b->count = count;
  b->words[0] = count ^ 0x5a5a;
  b->words[count - 1] = count ^ 0x5a5a;
  return b;
}

static void drop(block *b) {
  if (b && b->words[b->count - 1] != (b->count ^ 0x5a5a))
    abort();
  free(b);
}

static void *work(void *number) {
  uint64_t random = (uintptr_t)number + 1;
  block **kept = malloc((rounds / KEPT_PART + 1) * sizeof *kept), *local[LOCAL] = {0};
  size_t kept_count = 0, sum = 0;
  for (size_t i = 0; i < rounds; i++) {
    block *b = make(&random), **at = &local[next_random(&random) % LOCAL];
    sum += b->count;
    if (i % KEPT_PART == 0) {
      kept[kept_count++] = b;
      continue;
    }
    drop(*at);
    *at = b;
    if (i % EXCHANGED_PART == 0)
      *at = __atomic_exchange_n(&shared[next_random(&random) % SHARED], b, __ATOMIC_ACQ_REL);
  }
  for (size_t i = 0; i < kept_count; i++)
    drop(kept[i]);
  for (size_t i = 0; i < LOCAL; i++)
    drop(local[i]);
  free(kept);
  sums[(uintptr_t)number] = sum;
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  rounds = number_of(argc, argv, 2, 1000000) / threads;
  for (int i = 0; i < 4; i++) {
    run_threads(threads, work);
    for (size_t t = 0; t < threads; t++)
      sum += sums[t];
  }
  return report(sum);
}
