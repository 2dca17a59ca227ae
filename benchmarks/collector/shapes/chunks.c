/* SPDX-License-Identifier: MIT */
/* chunks.c - buffers of 8 to 32 KiB, as a program has them for files and sockets.  A hundred live
 * in a table, which all threads share: each takes one out, frees it, and puts in another, so that
 * most are freed by another thread than allocated them.
 */
#include "shape.h"

enum { CHUNKS = 100 };

static unsigned char *table[CHUNKS];
static size_t rounds;

static void *work(void *number) {
  uint64_t random = (uintptr_t)number + 1;
  for (size_t i = 0; i < rounds; i++) {
    unsigned char *fresh = make_block(size_between(&random, 8192, 32768));
    free(__atomic_exchange_n(&table[next_random(&random) % CHUNKS], fresh, __ATOMIC_ACQ_REL));
  }
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1);
  rounds = number_of(argc, argv, 2, 1000000) / threads;
  run_threads(threads, work);
  for (size_t i = 0; i < CHUNKS; i++)
    free(table[i]);
  return report(rounds);
}
