/* SPDX-License-Identifier: MIT */
/* rescan.h - finding what stores without a barrier hid from the collector.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_RESCAN_H
#define ACRE_RUNTIME_GC_CYCLE_RESCAN_H

#include "gc/heap/heap.h"

/* Before they are scanned pages are protected: of cells, those at the head of the queue; of a big
   object, all.  The latter is false if the budget is used up before. */
void acre_gc_protect_grey(heap *h, budget *b);
bool acre_gc_protect_scanned(heap *h, budget *b);
/* Large enough to ask which of its pages were ever written. */
#define SPARSE_BYTES ((size_t)128 << 10)
static inline bool may_be_sparse(const heap *h, size_t size) {
  return h->watch.asks_for_filled && size >= SPARSE_BYTES;
}
/* Needs that, of an object.  Where heap->cycle.scan.filled ends, the scan goes on with what is
 * filled next, after passing over some of what is not. */
void acre_gc_pass_unfilled(heap *h, budget *b);
static inline bool is_watched(const heap *h, uint32_t index) {
  return h->space.pages[index].watched == (uint8_t)h->cycle.epoch;
}
/* Slices of the first pass of a heap with a quarantine, which protects and reads all objects that
   are not freed; true when all have been.  Needs a collection that has condemned what it looks for.
 */
bool acre_gc_sweep_some(heap *h, budget *b);
/* What such a slice may visit, in slots.  What was protected together is looked up together: after
   each question the processor has to read again where pages are. */
#define CHASE_WORDS 12000
/* Slices of a pass that visits what was written; true when the pass is done.  Needs PHASE_CHASE; to
 * start, that it is next. */
void acre_gc_chase_start(heap *h);
bool acre_gc_chase_some(heap *h, budget *b);
/* A pass is done: was it the last?  Else the next one starts.  Needs PHASE_CHASE. */
bool acre_gc_chase_is_over(heap *h);
/* Another pass, because settling found more than a stop may visit.  Needs PHASE_SETTLE. */
void acre_gc_chase_again(heap *h);
/* Written memory outside the heap was visited, as a part of this pass. */
void acre_gc_chase_found(heap *h, size_t bytes);
/* Does the program write faster than it can be chased? */
bool acre_gc_chase_is_vain(const heap *h);
/* Visits all that was written since its last visit, or everything if that is not known.  False if
 * it is bounded, and there is more.  Needs the world stopped. */
bool acre_gc_rescan_last(heap *h, bool is_bounded);

/* After a collection: pages that it protected are writable again without a fault, so that the
   program does not stumble over each.  Slices, while heap->watch.is_releasing.
   Both need that no collection runs. */
void acre_gc_release_start(heap *h);
void acre_gc_release_some(heap *h);
/* The same at once, of the pages of a big object that is new. */
void acre_gc_release_run(heap *h, uint32_t first);
/* And size bytes of it are cleared. */
void acre_gc_clear_run(heap *h, uint32_t first, size_t size);

/* May the word at this address of a marked object refer to an ecru object, because it is still to
 * be visited? */
bool acre_gc_rescan_is_awaited(const heap *h, const void *address);

#endif
