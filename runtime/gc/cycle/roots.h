/* SPDX-License-Identifier: MIT */
/* roots.h - where the program keeps pointers: ranges, frames, handles.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_ROOTS_H
#define ACRE_RUNTIME_GC_CYCLE_ROOTS_H

#include "gc/heap/heap.h"

/* No frame is scanned, of a new heap or because the collection has ended: frames are popped in
 * line. */
void acre_gc_roots_forget(heap *h);
/* A collection starts.  Needs PHASE_ROOTS. */
void acre_gc_roots_start(heap *h);
/* Scans protected ranges, handles, the queue of finalizable objects and the oldest frames in
 * slices; true when done.  Needs PHASE_ROOTS. */
bool acre_gc_roots_some(heap *h, budget *b);
/* Needs the world stopped.  Searches memory outside the heap up to h->roots.foreign_words.  False
 * if that is not all. */
bool acre_gc_roots_at_once(heap *h);
/* Scans what may have changed without a barrier.  True if all of it was scanned.  Needs PHASE_ROOTS
 * or PHASE_SETTLE. */
bool acre_gc_roots_settle(heap *h, budget *b);
void acre_gc_roots_end(heap *h);

#endif
