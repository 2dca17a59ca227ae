/* SPDX-License-Identifier: MIT */
/* mark_bitmap.h - marking and scanning cells whose colours are bits.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_MARK_BITMAP_H
#define ACRE_RUNTIME_GC_CYCLE_MARK_BITMAP_H

#include "gc/heap/bitmap.h"
#include "gc/heap/heap.h"

/* mark_value; false if value is not in a page of cells. */
bool acre_gc_bitmap_mark(heap *h, const void *value);
/* Values that are to be marked.  The memory that has their colours is prefetched when they are put
   here, and has arrived when they are marked: together, when they are FOUND_MAX.  Until then there
   is room for those of one more object. */
#define FOUND_MAX 16
/* Pointers that are visited without a note of how far the scan is. */
#define AT_ONCE_SLOTS 34
typedef struct found_values {
  size_t count;
  const void *values[FOUND_MAX + AT_ONCE_SLOTS];
} found_values;
/* mark_value of what is left of f. */
void acre_gc_bitmap_mark_found(heap *h, found_values *f);
/* The aligned words of [start, end) are to be marked; some of them are at once.  Returns how many
 * are addresses of the heap. */
size_t acre_gc_bitmap_mark_words(heap *h, found_values *f, const char *start, const char *end);
/* The same where most of what is found was marked before: faster then, else slower. */
void acre_gc_bitmap_mark_again(heap *h, found_values *f, const char *start, const char *end);
/* Scans grey cells, until none is left, one is to be scanned as heap->cycle.scan says, or the
 * budget is used up.  Needs a collection, and no object that is being scanned. */
void acre_gc_bitmap_scan(heap *h, budget *left);

#endif
