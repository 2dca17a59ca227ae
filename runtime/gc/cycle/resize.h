/* SPDX-License-Identifier: MIT */
/* resize.h - objects that change their size where they are.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_RESIZE_H
#define ACRE_RUNTIME_GC_CYCLE_RESIZE_H

#include "gc/heap/cell.h"

/* Both need a cell that is not white. */

/* Makes the object in a cell size bytes large; what is new is zero.  False, with nothing changed,
   if its place is too small, or would be more than half empty. */
bool acre_gc_resize(heap *h, const cell *c, const object_view *o, size_t size);

/* Makes the object as large as its place, where it is big as large as the pages that it uses
 * anyway, and returns its size. */
size_t acre_gc_fill_place(heap *h, const cell *c, const object_view *o);

#endif
