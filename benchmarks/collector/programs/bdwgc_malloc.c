/* SPDX-License-Identifier: MIT */
/* bdwgc_malloc.c - malloc and its kin in the heap of bdwgc, for a program as it is: LD_PRELOAD.
 *
 *   clang -O2 -fPIC -shared bdwgc_malloc.c -o bdwgc_malloc.so -lgc
 *
 * free does nothing, as under -facre-malloc=collected: what nothing refers to is reclaimed.
 * BDWGC_FREES in the environment makes it give memory back at once, as malloc's does.
 * BDWGC_PAUSE=FILE gets the longest collection, in nanoseconds, when the program ends.
 *
 * Invariant: no pointer of the C library's malloc exists, because this one is there from the first
 * call on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gc/gc.h>

enum { EARLY_BYTES = 1 << 16, ALIGN = 16 };

/* What is allocated while the collector starts.  It is searched as any data is, and never
 * reclaimed. */
static _Alignas(ALIGN) char early[EARLY_BYTES];
static size_t early_used;
static enum { UNSTARTED, STARTING, STARTED } state;
static bool gives_back;
static uint64_t began, longest;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void note(GC_EventType event) {
  if (event == GC_EVENT_START)
    began = now();
  else if (event == GC_EVENT_END && now() - began > longest)
    longest = now() - began;
}

static bool is_started(void) {
  if (state == UNSTARTED) {
    state = STARTING;
    GC_INIT();
    gives_back = getenv("BDWGC_FREES") != NULL;
    GC_set_on_collection_event(note);
    state = STARTED;
  }
  return state == STARTED;
}

static bool is_early(const void *p) { return (size_t)((const char *)p - early) < EARLY_BYTES; }

static void *take_early(size_t size) {
  size_t rounded = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (rounded < size || rounded > EARLY_BYTES - early_used)
    return NULL;
  early_used += rounded;
  return early + early_used - rounded;
}

void *malloc(size_t size) {
  void *p = is_started() ? GC_MALLOC(size) : take_early(size);
  if (!p)
    errno = ENOMEM;
  return p;
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  return malloc(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX / 2 : bytes); /* zeroed */
}

void free(void *p) {
  if (gives_back && p && !is_early(p))
    GC_FREE(p);
}

size_t malloc_usable_size(void *p) {
  return !p ? 0 : is_early(p) ? (size_t)(early + early_used - (char *)p) : GC_size(p);
}

/* Not GC_REALLOC: it frees what it has moved. */
void *realloc(void *p, size_t size) {
  if (!p)
    return malloc(size);
  if (size == 0) {
    free(p);
    return NULL;
  }
  size_t old = malloc_usable_size(p);
  if (size <= old && size >= old / 2)
    return p;
  void *moved = malloc(size);
  if (moved) {
    memcpy(moved, p, old < size ? old : size);
    free(p);
  }
  return moved;
}

void *memalign(size_t align, size_t size) { return is_started() ? GC_memalign(align, size) : NULL; }
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
int posix_memalign(void **result, size_t align, size_t size) {
  void *p = memalign(align, size);
  if (p)
    *result = p;
  return p ? 0 : ENOMEM;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("BDWGC_PAUSE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "%lu %lu\n", (unsigned long)longest, (unsigned long)GC_get_gc_no());
  fclose(file);
}
