/* SPDX-License-Identifier: MIT */
/* collector.c - runs one workload in one configuration of the heap and prints what it cost as a
 * line of JSON.
 *
 *   collector --list                               names of the workloads and configurations
 *   collector WORKLOAD KIND BYTES [--pauses N]     with a limit; each pause is the least of N runs
 *   collector WORKLOAD KIND --smallest             the smallest limit that is enough, within 2 %
 *   collector WORKLOAD KIND BYTES --trace          events, on standard output
 *   collector WORKLOAD KIND BYTES --profile        sizes for `acre sizes`, on standard output
 *
 * Pauses: pauses.h.  The workloads are deterministic, so pause number i of one run is that of the
 * next.  --sizes A,B,... sets the cell sizes.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pauses.h"
#include "workloads.h"

static jmp_buf out_of_memory;

void *get(acre_heap *heap, size_t size, const acre_site *site) {
  void *p = acre_heap_try_alloc(heap, size, 8, site);
  if (!p)
    longjmp(out_of_memory, 1);
  return p;
}

void *get_bytes(acre_heap *heap, size_t size) {
  void *p = acre_heap_try_alloc_bytes(heap, size);
  if (!p)
    longjmp(out_of_memory, 1);
  return p;
}

/* -- Pauses ------------------------------------------------------------------------------------ */

static size_t peak_useful, peak_headers, peak_padding, peak_external, peak_within_pages, peaks,
    alive, finishes;

static void note(const acre_heap_event *event, void *context) {
  (void)context;
  if (event->kind == ACRE_HEAP_EVENT_START) {
    /* What fills the heap when it is full. */
    acre_heap_composition c;
    acre_heap_get_composition(event->heap, &c);
    peak_useful += c.useful, peak_headers += c.headers, peak_padding += c.padding,
        peak_external += c.external, peaks++;
    peak_within_pages += c.pages - c.free_pages - (c.useful + c.headers + c.padding);
  }
  if (event->kind == ACRE_HEAP_EVENT_FINISH) {
    acre_heap_composition c;
    acre_heap_get_composition(event->heap, &c);
    alive += c.useful, finishes++;
  }
  pauses_note(event);
}

/* -- Runs -------------------------------------------------------------------------------------- */

static uint64_t now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

typedef struct result {
  bool is_complete;
  uint64_t nanoseconds;
  acre_heap_stats stats;
  acre_heap_composition end;
} result;

/* The heap is kept in *kept, if that is wanted. */
static result run(const workload *w, const acre_heap_config *config, acre_heap **kept) {
  result r = {0};
  acre_heap *volatile heap = acre_heap_new(config);
  if (!heap) {
    fprintf(stderr, "collector: no memory for a heap\n");
    exit(1);
  }
  pauses_start();
  uint64_t begin = now_nanoseconds();
  volatile bool is_complete = false;
  if (setjmp(out_of_memory) == 0) {
    w->run(heap);
    is_complete = true;
  }
  r.nanoseconds = now_nanoseconds() - begin;
  r.is_complete = is_complete;
  acre_heap_get_stats(heap, &r.stats);
  acre_heap_get_composition(heap, &r.end);
  if (kept)
    *kept = heap;
  else
    acre_heap_delete(heap);
  return r;
}

static bool completes(const workload *w, acre_heap_config config, size_t limit) {
  config.limit = limit & ~(size_t)8191;
  config.limit_max = 0;
  return run(w, &config, NULL).is_complete;
}

static size_t smallest(const workload *w, const acre_heap_config *config) {
  size_t high = (size_t)1 << 20;
  while (!completes(w, *config, high))
    high *= 2;
  size_t low = high / 64; /* too small, or assumed to be */
  while (high - low > high / 50 && high - low > 8192) {
    size_t middle = (low + (high - low) / 2) & ~(size_t)8191;
    if (completes(w, *config, middle))
      high = middle;
    else
      low = middle;
  }
  return high;
}

static void print_result(const result *r, const pause_summary *pauses, size_t limit) {
  size_t n = peaks ? peaks : 1;
  printf("{\"complete\":%s,\"limit\":%zu,\"ns\":%llu,\"collections\":%llu,\"increments\":%llu,"
         "\"allocated\":%llu,"
         "\"objects\":%llu,\"collector_ns\":%llu,\"longest_ns\":%llu,\"mean_ns\":%llu,\"p99_ns\":%"
         "llu,\"words_max\":%llu,"
         "\"migrations\":%llu,\"remapped\":%llu,\"filled\":%llu,\"forced\":%llu,\"behind\":%llu,"
         "\"marked\":%llu,"
         "\"mmu\":[%.4f,%.4f,%.4f],\"peak\":{\"useful\":%zu,\"headers\":%zu,\"padding\":%zu,"
         "\"external\":%zu},\"within_pages\":%zu,\"alive\":%zu,\"metadata\":%zu}\n",
         r->is_complete ? "true" : "false", limit, (unsigned long long)r->nanoseconds,
         (unsigned long long)r->stats.collections, (unsigned long long)r->stats.increments,
         (unsigned long long)r->stats.allocated_bytes,
         (unsigned long long)r->stats.allocated_objects, (unsigned long long)pauses->total,
         (unsigned long long)pauses->longest,
         (unsigned long long)(pauses->count ? pauses->total / pauses->count : 0),
         (unsigned long long)pauses->p99, (unsigned long long)r->stats.words_max,
         (unsigned long long)r->stats.migrations, (unsigned long long)r->stats.pages_remapped,
         (unsigned long long)r->stats.gaps_filled, (unsigned long long)r->stats.forced,
         (unsigned long long)r->stats.fell_behind, (unsigned long long)r->stats.marked_bytes,
         pauses->utilisation[0], pauses->utilisation[1], pauses->utilisation[2], peak_useful / n,
         peak_headers / n, peak_padding / n, peak_external / n, peak_within_pages / n,
         finishes ? alive / finishes : 0, r->end.metadata);
}

/* -- Arguments --------------------------------------------------------------------------------- */

static int usage(void) {
  fprintf(
      stderr,
      "usage: collector --list | WORKLOAD KIND BYTES|--smallest [--pauses N] [--trace] [--profile] "
      "[--sizes A,B,...]\n");
  return 2;
}

static size_t parse_sizes(const char *text, uint32_t *sizes) {
  size_t count = 0;
  for (char *end; *text && count < ACRE_HEAP_CLASS_MAX; text = *end ? end + 1 : end)
    sizes[count++] = (uint32_t)strtoul(text, &end, 10);
  return count;
}

static int list(void) {
  for (size_t i = 0; i < workload_count; i++)
    printf("workload %s %s\n", workloads[i].name, workloads[i].what);
  for (int kind = 0; kind < ACRE_HEAP_KIND_COUNT; kind++)
    printf("kind %s\n", acre_heap_kind_name((acre_heap_kind)kind));
  return 0;
}

int main(int count, char **values) {
  if (count == 2 && strcmp(values[1], "--list") == 0)
    return list();
  if (count < 4)
    return usage();
  const workload *w = workloads;
  while (w < workloads + workload_count && strcmp(w->name, values[1]) != 0)
    w++;
  int kind = 0, rounds = 0;
  while (kind < ACRE_HEAP_KIND_COUNT &&
         strcmp(acre_heap_kind_name((acre_heap_kind)kind), values[2]) != 0)
    kind++;
  if (w == workloads + workload_count || kind == ACRE_HEAP_KIND_COUNT)
    return usage();
  acre_heap_config config = acre_heap_preset((acre_heap_kind)kind);
  uint32_t sizes[ACRE_HEAP_CLASS_MAX];
  bool is_smallest = strcmp(values[3], "--smallest") == 0, has_profile = false;
  int out = 1;
  config.name = values[1];
  for (int i = 4; i < count; i++) {
    if (strcmp(values[i], "--pauses") == 0 && i + 1 < count) {
      rounds = atoi(values[++i]);
      config.trace = note;
    } else if (strcmp(values[i], "--sizes") == 0 && i + 1 < count) {
      config.cell_size_count = parse_sizes(values[++i], sizes);
      config.cell_sizes = sizes;
    } else if (strcmp(values[i], "--trace") == 0) {
      config.trace = acre_heap_trace_to_fd;
      config.context = &out;
    } else if (strcmp(values[i], "--profile") == 0) {
      has_profile = true;
    } else {
      return usage();
    }
  }
  if (is_smallest) {
    config.trace = NULL;
    printf("{\"smallest\":%zu}\n", smallest(w, &config));
    return 0;
  }
  config.limit = strtoull(values[3], NULL, 10) & ~(size_t)8191;
  acre_heap *heap = NULL;
  result r = run(w, &config, has_profile ? &heap : NULL);
  for (int i = 1; i < rounds; i++) {
    uint64_t least = r.nanoseconds;
    r = run(w, &config, NULL);
    r.nanoseconds = least < r.nanoseconds ? least : r.nanoseconds;
  }
  pause_summary pauses = pauses_end();
  if (has_profile)
    return acre_heap_write_profile(heap, 1) ? 0 : 1;
  if (config.trace != acre_heap_trace_to_fd)
    print_result(&r, &pauses, config.limit);
  return r.is_complete ? 0 : 3;
}
