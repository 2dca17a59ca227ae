/* SPDX-License-Identifier: MIT */
/* larson.c - the server of Larson and Krishnan ("Memory Allocation for Long-Running Server
 * Applications", ISMM 1998): each thread replaces random blocks of 8 to 1000 bytes in a table of a
 * thousand; after some rounds it ends and another thread takes its table over, whose blocks it has
 * not allocated.
 */
#include "shape.h"

enum { BLOCKS = 1000, GENERATIONS = 10 };

typedef struct server {
  unsigned char *blocks[BLOCKS];
  uint64_t random;
  size_t sum;
} server;

static size_t rounds;
static server servers[THREADS_MAX];

static void *serve(void *argument) {
  server *s = argument;
  for (size_t i = 0; i < rounds; i++) {
    size_t at = next_random(&s->random) % BLOCKS;
    s->sum += s->blocks[at] ? s->blocks[at][0] : 0;
    free(s->blocks[at]);
    s->blocks[at] = make_block(size_between(&s->random, 8, 1000));
  }
  return NULL;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  rounds = number_of(argc, argv, 2, 5000000) / threads / GENERATIONS;
  pthread_t running[THREADS_MAX];
  for (int generation = 0; generation < GENERATIONS; generation++) {
    for (size_t i = 0; i < threads; i++)
      if (pthread_create(&running[i], NULL, serve, &servers[i]) != 0)
        abort();
    for (size_t i = 0; i < threads; i++)
      pthread_join(running[i], NULL);
  }
  for (size_t i = 0; i < threads; i++)
    sum += servers[i].sum;
  return report(sum);
}
