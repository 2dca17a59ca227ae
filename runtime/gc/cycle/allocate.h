/* SPDX-License-Identifier: MIT */
/* allocate.h - where an object comes from, and what is tried before memory is out.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_ALLOCATE_H
#define ACRE_RUNTIME_GC_CYCLE_ALLOCATE_H

#include "gc/heap/heap.h"

/* acre_heap_try_alloc, but *uncleared bytes of the object are still to be cleared, which takes no
 * lock.  Until then a collection may find there what was there before. */
void *acre_gc_alloc_uncleared(heap *h, size_t size, size_t align, const acre_site *site,
                              size_t *uncleared);

/* Turns at most as many dead big objects into free runs. */
void acre_gc_big_reap(heap *h, size_t objects);

/* Has the class white cells now?  Without a collection.  Needs a class of the heap. */
bool acre_gc_cells_refill(heap *h, size_t class);
/* In the heap of the process: would a cell, which takes a page by itself, touch two of the system's
 * where the object alone touches one? */
bool acre_gc_cell_is_dearer(const heap *h, size_t class, size_t size);

#endif
