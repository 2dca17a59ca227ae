/* runs.h - cells that a thread has taken in advance, to allocate from without the lock.  Internal.
 *
 * A thread's runs are an object of the heap that only a thread-local variable refers to: collections find the cells in it as
 * anything else, and when the thread ends, or is not in the child of a fork, it is garbage with them.
 *
 * Invariant: cells[class][0 .. counts[class]) are objects without pointers, zero, of the class's whole capacity; nothing else
 * refers to them.  Only the thread itself changes its runs.
 */
#ifndef ACRE_COLLECTOR_RUNS_H
#define ACRE_COLLECTOR_RUNS_H

#include "find.h"
#include "internal.h"

#define RUN_WORDS 32 /* of the largest object that is allocated so */
#define RUN_CLASSES 16
#define RUN_CELLS 16

typedef struct acre_gc_runs {
  uint8_t counts[RUN_CLASSES];
  size_t waste; /* of what was taken from the runs: bytes that were not asked for and are still counted */
  char *cells[RUN_CLASSES][RUN_CELLS];
} acre_gc_runs;

/* Of the heap that has runs: set before there are any, and never again. */
typedef struct acre_gc_run_shapes {
  uint8_t class_of[RUN_WORDS + 1]; /* by words of an object */
  uint8_t lengths[RUN_CLASSES];
  uint16_t capacities[RUN_CLASSES];
} acre_gc_run_shapes;

extern acre_gc_run_shapes acre_gc_run_shapes_of_process;
extern _Thread_local acre_gc_runs *acre_gc_own_runs __attribute__((tls_model("initial-exec")));

/* size bytes, zero, aligned to 16, without a lock; null where that does not go.  Not from signal handlers. */
static inline void *acre_gc_runs_take(size_t size, const acre_site *site) {
  acre_gc_runs *r = acre_gc_own_runs;
  if (__builtin_expect(!r || size > RUN_WORDS * 8, 0))
    return NULL;
  size_t class = acre_gc_run_shapes_of_process.class_of[(size + 7) / 8], count = r->counts[class];
  if (__builtin_expect(count == 0, 0))
    return NULL;
  char **top = &r->cells[class][count - 1], *object = *top;
  r->counts[class] = (uint8_t)(count - 1);
  *top = NULL;
  size_t padding = acre_gc_run_shapes_of_process.capacities[class] - size;
  r->waste += padding;
  ((uint64_t *)object)[-1] = (uintptr_t)site | (uint64_t)padding << INFO_PADDING_SHIFT;
  return object;
}

/* The heap's classes get runs, where it has what they need. */
void acre_gc_runs_start(heap *h);
/* With the lock: cells for objects of size bytes, if they are to be had without effort. */
void acre_gc_runs_fill(heap *h, size_t size);
/* Takes what the calling thread has in its runs off the statistics. */
void acre_gc_runs_discount(const heap *h, acre_heap_stats *stats);

#endif
