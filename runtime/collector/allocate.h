/* allocate.h - where an object comes from, and what is tried before memory is out.  Internal. */
#ifndef ACRE_COLLECTOR_ALLOCATE_H
#define ACRE_COLLECTOR_ALLOCATE_H

#include "internal.h"

/* Turns at most as many dead big objects into free runs. */
void acre_gc_big_reap(heap *h, size_t objects);

/* Has the class white cells now?  Without a collection. */
bool acre_gc_cells_refill(heap *h, size_t class);

/* Puts a cell of class in a gap between objects of other sizes; is_exhaustive: looks at all pages.  (fill.c) */
bool acre_gc_gap_fill(heap *h, size_t class, bool is_exhaustive);

#endif
