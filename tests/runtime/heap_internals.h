/* What tests of the collected heap need to know of its inside. */
#ifndef ACRE_TESTS_HEAP_INTERNALS_H
#define ACRE_TESTS_HEAP_INTERNALS_H

#include <acre/heap.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As the heap of the process: it finds out what was stored, without a barrier. */
void heap_find_stores(acre_heap *heap);
/* Does the kernel help?  Known once a collection has started. */
bool heap_is_tracked(const acre_heap *heap);

/* As the heap of the process: where memory outside the heap is no more than so many words it is
   searched at once, and where the last collection scanned no more than so many slots they are
   scanned in the same step. */
void heap_do_at_once(acre_heap *heap, size_t foreign_words, size_t at_once_words);
/* What the next collection takes for that number of slots. */
void heap_set_last_scanned(acre_heap *heap, size_t slots);
/* Was memory outside the heap searched at once in this collection? */
bool heap_found_little_outside(const acre_heap *heap);

/* Passes over what was written that this collection has begun. */
unsigned heap_passes(const acre_heap *heap);

/* The calling thread's runs are of this heap, from now on until the thread ends, if the heap can
 * have any. */
bool heap_use_runs(acre_heap *heap);
void *heap_take_from_runs(acre_heap *heap, size_t size);
/* `free` without the lock: false if it takes more. */
bool heap_free_quickly(const acre_heap *heap, const void *p);
/* What it does with the lock then; and what the heap knows to be freed. */
void heap_report_freed(acre_heap *heap, size_t bytes);
size_t heap_freed_bytes(const acre_heap *heap);

/* The dead part of the calling thread's stack is known from now on. */
void heap_know_thread(void);
/* The stack of the calling thread, of which Acre knows. */
void heap_own_stack(uintptr_t *low, uintptr_t *high);

/* ENDING: what is not marked is unreachable. */
typedef enum heap_step {
  HEAP_STEP_IDLE,
  HEAP_STEP_ROOTS,
  HEAP_STEP_CHASE,
  HEAP_STEP_SETTLE,
  HEAP_STEP_ENDING
} heap_step;
heap_step heap_step_of(const acre_heap *heap);

#ifdef __cplusplus
}
#endif
#endif
