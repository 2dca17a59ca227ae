/* SPDX-License-Identifier: MIT */
/* bitmap.h - cells without links: the order that rings keep by links is read from the bitmaps of
 * pages.  Internal.
 *
 * While a collection runs a cell's colour is, on a page that is up to date,
 *
 *     now   before
 *      0      0     white
 *      0      1     ecru
 *      1      1     grey
 *      1      0     black
 *
 * and between collections `now` says what is allocated.  So greying sets one bit and scanning
 * clears one, beside the page: neither writes to a cell, and greying does not read one.
 *
 * Invariant: a page of cells is the one its class is allocated from (`current`), or in one list of
 * its class.  Up to date: `used` has white cells; `waiting` has none, but ecru ones, which are
 * white when the collection ends; `full` has neither. Of the last collection: `ecru` has white
 * cells, `ecru_full` none.  Else `free`.  marked counts the grey and black cells of a page that is
 * not current; of one of the last collection, its ecru ones.  A page with grey cells is in the
 * queue that starts with grey_first, unless they are in grey_cells.
 *
 * Counts are kept for many cells at a time: the white cells of the word that is allocated from are
 * objects already, and grey cells are ecru (but `waiting` ones).  Of that word a range of cells
 * that are side by side is allocated from: their bits are set, but what was not allocated of it is
 * white for all who ask (cell_colour), and reads as zero.  Of a class that is not cleared it is one
 * cell.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_BITMAP_H
#define ACRE_RUNTIME_GC_HEAP_BITMAP_H

#include "gc/heap/cell.h"
#include "gc/heap/heap.h"
#include "platform/check.h"

/* A white cell of a class becomes black, on a page that is up to date.  It reads as zero if the
   class is one of heap->cells.cleared_classes.  A bounded number of pages is looked at.  Needs a
   white cell. */
char *acre_gc_bitmap_take(heap *h, size_t class);
/* White cells of a class become black, those of at most so many words of the bitmap of a page:
   `taken` says which.  Returns the page's first cell; it and those that are taken read as zero.
   Needs a white cell. */
char *acre_gc_bitmap_take_words(heap *h, size_t class, size_t most, uint64_t taken[BITMAP_WORDS]);
/* All cells of a page are marked now.  Needs another one than is allocated from: what was white
 * when that was taken is not counted. */
void acre_gc_bitmap_filled(heap *h, uint32_t index);

/* A page of the class is brought up to date: it was ecru, or free. */
void acre_gc_bitmap_touched(heap *h, uint32_t index, bool was_used);
/* What is current goes to its list. */
void acre_gc_bitmap_retire(heap *h, size_t class);
/* The lists of a class when a collection starts, and when it ends. */
void acre_gc_bitmap_flip(heap *h, size_t class);
void acre_gc_bitmap_reclaim(heap *h, size_t class);

/* Where on a page the cell starts whose bit stands for the bytes from offset on. */
static inline size_t bitmap_offset(size_t offset, uint32_t cell_size, uint32_t reciprocal) {
  return (size_t)divide_offset(offset + cell_size - 1, reciprocal) * cell_size;
}

static inline size_t count_bits(const uint64_t *words) {
  size_t count = 0;
  for (size_t i = 0; i < BITMAP_WORDS; i++)
    count += count_ones(words[i]);
  return count;
}

/* Does `marked` count the cells whose bits are set there? */
static inline bool marked_counts_bits(const cell_page *p, const uint64_t *bits) {
  return p->marked == count_bits(bits);
}

/* The next range of cells of the word that is allocated from.  Needs one with some, and no range
 * open. */
void acre_gc_bitmap_open_range(const heap *h, ring *r);
/* acre_gc_bitmap_take.  Needs such a range. */
static inline char *bitmap_take_quickly(ring *r) {
  ACRE_ASSERT(r->quick_next != r->quick_end);
  char *start = r->quick_next;
  r->quick_next = start + r->cell_size;
  return start;
}

#endif
