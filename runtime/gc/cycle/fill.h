/* SPDX-License-Identifier: MIT */
/* fill.h - page filling: cells in the gaps between objects of other sizes.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_FILL_H
#define ACRE_RUNTIME_GC_CYCLE_FILL_H

#include "gc/heap/heap.h"

/* Needs a heap that fills pages.  Puts a cell of class in a gap between objects of other sizes;
 * is_exhaustive: looks at all pages.
 */
bool acre_gc_gap_fill(heap *h, size_t class, bool is_exhaustive);

#endif
