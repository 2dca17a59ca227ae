/* SPDX-License-Identifier: MIT */
/* foreign_roots.h - the memory outside a watched heap as roots: searched in slices while the
 * program runs, and once more where it was written since.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_FOREIGN_ROOTS_H
#define ACRE_RUNTIME_GC_CYCLE_FOREIGN_ROOTS_H

#include "gc/heap/heap.h"

/* A collection starts: nothing has been searched. */
void acre_gc_foreign_start(heap *h);
/* It was searched otherwise, and is not watched in this collection. */
void acre_gc_foreign_give_up(heap *h);
/* The memory outside was taken to be little, and is not: it is searched in slices after all.  Needs
 * PHASE_SETTLE, and PHASE_CHASE next. */
void acre_gc_foreign_start_late(heap *h);
/* The next pass starts: of what was written since the last one. */
void acre_gc_foreign_again(heap *h);
/* A slice of a pass; true when the pass is done, or this cannot be done in slices.  Needs
 * PHASE_ROOTS or PHASE_CHASE, and that threads run. */
bool acre_gc_foreign_some(heap *h, budget *b);
/* Searches what was written since it was last searched.  False if that is not known.  Needs the
 * world stopped. */
bool acre_gc_foreign_last(heap *h);
/* Was the word below a stack pointer when this collection stopped the world?  Then it is searched
   only if it was written since: what a frame that is there now has not written yet, or a thread
   left that has ended, is none of the program's. */
bool acre_gc_foreign_was_dead(const heap *h, const void *word);
void acre_gc_foreign_end(heap *h);

#endif
