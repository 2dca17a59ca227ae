/* SPDX-License-Identifier: MIT */
/* throughput.c - runs one workload several times on one heap, Acre's or (USE_BDWGC) bdwgc's; prints
 * processor time and memory.
 *
 *   throughput WORKLOAD ROUNDS [LIMIT [whole]]
 *
 * LIMIT is that of Acre's heap, in bytes; whole: each collection in one step.  Exit status 3: out
 * of memory.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "workloads.h"

#ifdef USE_BDWGC
#include <gc.h>
void *get(acre_heap *heap, size_t size, const acre_site *site) {
  (void)heap, (void)site;
  return GC_MALLOC(size);
}
/* Zeroed, as Acre's are. */
void *get_bytes(acre_heap *heap, size_t size) {
  (void)heap;
  return memset(GC_MALLOC_ATOMIC(size), 0, size);
}
static acre_heap *start(size_t limit, int is_whole) {
  (void)limit, (void)is_whole;
  GC_INIT();
  return NULL;
}
static unsigned long long collections(acre_heap *heap) {
  (void)heap;
  return GC_get_gc_no();
}
static size_t heap_size(acre_heap *heap) {
  (void)heap;
  return GC_get_heap_size();
}
#else
static void *require(void *p) {
  if (!p)
    exit(3);
  return p;
}
void *get(acre_heap *heap, size_t size, const acre_site *site) {
  return require(acre_heap_try_alloc(heap, size, 8, site));
}
void *get_bytes(acre_heap *heap, size_t size) {
  return require(acre_heap_try_alloc_bytes(heap, size));
}
static acre_heap *start(size_t limit, int is_whole) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = limit;
  config.is_incremental = !is_whole;
  return acre_heap_new(&config);
}
static unsigned long long collections(acre_heap *heap) {
  acre_heap_stats stats;
  acre_heap_get_stats(heap, &stats);
  return stats.collections;
}
static size_t heap_size(acre_heap *heap) {
  acre_heap_composition c;
  acre_heap_get_composition(heap, &c);
  return c.pages;
}
#endif

static const workload *find(const char *name) {
  for (size_t i = 0; i < workload_count; i++)
    if (strcmp(workloads[i].name, name) == 0)
      return &workloads[i];
  fprintf(stderr, "throughput: no workload %s\n", name);
  exit(2);
}

/* In KiB.  Not from getrusage, which remembers what the process was before it became this program.
 */
static long peak_memory(void) {
  char line[128];
  long peak = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1)
      break;
  if (status)
    fclose(status);
  return peak;
}

int main(int count, char **values) {
  if (count < 3)
    return 2;
  const workload *w = find(values[1]);
  acre_heap *heap = start(count > 3 ? strtoull(values[3], NULL, 10) : 0, count > 4);
  for (int i = atoi(values[2]); i > 0; i--)
    w->run(heap);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"cpu_us\":%llu,\"peak_kb\":%ld,\"heap\":%zu,\"collections\":%llu}\n",
         (unsigned long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
             (unsigned long long)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
         peak_memory(), heap_size(heap), collections(heap));
  return 0;
}
