/* SPDX-License-Identifier: MIT */
/* footprint.c - by the figures of the allocator that the program has. */
#include "footprint.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#ifdef EVERYTHING_COLLECTED
#include <acre/collected.h>

static struct footprint of_allocator(void) {
  acre_heap_composition heap;
  acre_collected_get_composition(&heap);
  return (struct footprint){.data = heap.useful, .reserved = heap.pages + heap.metadata};
}
#else
static struct footprint of_allocator(void) {
  struct mallinfo2 heap = mallinfo2();
  return (struct footprint){.data = heap.uordblks + heap.hblkhd,
                            .reserved = heap.arena + heap.hblkhd};
}
#endif

static size_t resident_bytes(void) {
  unsigned long size, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  if (fscanf(file, "%lu %lu", &size, &resident) != 2)
    resident = 0;
  fclose(file);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

struct footprint footprint_now(void) {
  struct footprint now = of_allocator();
  now.resident = resident_bytes();
  return now;
}

void footprint_print(const char *program) {
  struct footprint now = footprint_now();
  fprintf(stderr, "%s: memory: data %zu reserved %zu resident %zu\n", program, now.data,
          now.reserved, now.resident);
}
