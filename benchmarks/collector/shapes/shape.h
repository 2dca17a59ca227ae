/* SPDX-License-Identifier: MIT */
/* shape.h - what the programs of this folder share: numbers that look random, threads, a table of
 * blocks.  Each program takes THREADS and ROUNDS, and prints a sum that does not depend on malloc,
 * and the largest resident set of the process since it was started, in kB.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 16 };

static inline uint32_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static inline size_t size_between(uint64_t *state, size_t least, size_t most) {
  return least + next_random(state) % (most - least + 1);
}

/* A block of which the ends are written, as most programs do at least.  The compiler does not know
 * where it comes from, and so cannot do without it. */
static inline unsigned char *make_block(size_t size) {
  unsigned char *p = malloc(size);
  __asm__ volatile("" : "+r"(p) : : "memory");
  if (!p)
    abort();
  p[0] = (unsigned char)size;
  p[size - 1] = (unsigned char)size;
  return p;
}

static inline size_t number_of(int argc, char **argv, int at, size_t otherwise) {
  return argc > at ? strtoul(argv[at], NULL, 10) : otherwise;
}

/* Runs work in as many threads, with their numbers; one thread is the main one. */
static inline void run_threads(size_t count, void *(*work)(void *number)) {
  pthread_t threads[THREADS_MAX];
  if (count > THREADS_MAX)
    abort();
  for (size_t i = 1; i < count; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
      abort();
  work((void *)0);
  for (size_t i = 1; i < count; i++)
    pthread_join(threads[i], NULL);
}

/* What wait4 says is not less than the parent had. */
static inline int report(size_t sum) {
  char line[128];
  FILE *status = fopen("/proc/self/status", "r");
  printf("%zu\n", sum);
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "VmHWM:", 6) == 0)
      printf("%ld\n", strtol(line + 6, NULL, 10));
  if (status)
    fclose(status);
  return 0;
}

#endif
