/* SPDX-License-Identifier: MIT */
/* heap_account.h - what a heap tells about itself: sums over objects, statistics, the trace.
 * Internal.
 *
 * Invariant: made less what is pending (heap_made) counts each object ever allocated; with
 * alive_less_made, those of the last count and since; with marked_less_made, while a collection
 * runs, those it has marked and those allocated in it.  acre_heap_check counts again.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_ACCOUNT_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_ACCOUNT_H

#include <acre/heap.h>

#include "gc/heap/heap_space.h"

#define PROFILE_SIZES (ACRE_PAGE_SIZE / 8 + 1)

/* Sums over objects.  They are modulo 2^64: a tally may be less than nothing. */
typedef struct tally {
  size_t objects, big_objects, useful,
      cells; /* cells: bytes of cells and of pages of big objects */
} tally;

typedef struct heap_account {
  /* What was allocated, ever.  What is alive (by the last count and since), and what this
     collection marked (with what was allocated in it), are kept less that: an allocation changes
     one tally instead of three. */
  tally made, alive_less_made, marked_less_made;
  uint64_t *profile; /* objects allocated, by profile_index */

  bool is_traced;        /* by the program's trace function, or for ACRE_TRACE */
  uint32_t trace_number; /* in the trace of ACRE_TRACE; 0: not there */
  uint64_t next_sample;  /* UINT64_MAX: none */

  acre_heap_stats stats;
} heap_account;

static inline tally tally_plus(tally a, tally b) {
  return (tally){a.objects + b.objects, a.big_objects + b.big_objects, a.useful + b.useful,
                 a.cells + b.cells};
}
static inline tally tally_minus(tally t) {
  return (tally){-t.objects, -t.big_objects, -t.useful, -t.cells};
}
static inline void tally_add(tally *t, bool is_big, size_t useful, size_t bytes) {
  t->objects++;
  t->big_objects += is_big;
  t->useful += useful;
  t->cells += bytes;
}
/* Where objects of size bytes are counted in a profile. */
static inline size_t profile_index(size_t size) {
  return size <= ACRE_PAGE_SIZE - 8 ? (size + 7) / 8 : PROFILE_SIZES - 1;
}

#endif
