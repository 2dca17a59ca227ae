/* SPDX-License-Identifier: MIT */
/* search.c - how long the search of all memory for pointers takes: collections of a heap that is
 * empty.
 *
 * acre-cc -O2 -facre-malloc=collected benchmarks/roots/search.c -o search && ./search
 */
#define _GNU_SOURCE
#include <acre/collected.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define TRIES 7

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void report(const char *what) {
  double best = 0;
  for (int i = 0; i < TRIES; i++) {
    double begin = milliseconds();
    acre_collected_collect();
    double took = milliseconds() - begin;
    best = i == 0 || took < best ? took : best;
  }
  printf("%-30s %8.2f ms\n", what, best);
}

static void *map(size_t size) {
  void *p =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    perror("search: mmap");
    exit(1);
  }
  return p;
}

int main(void) {
  report("the program alone");
  size_t size = (size_t)256 << 20;
  uint64_t *numbers = map(size);
  for (size_t i = 0; i < size / sizeof *numbers; i++)
    numbers[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  report("256 MiB of numbers");
  munmap(numbers, size);
  char *sparse = map((size_t)64 << 30);
  sparse[(size_t)1 << 30] = 1;
  report("64 GiB with one page");
}
