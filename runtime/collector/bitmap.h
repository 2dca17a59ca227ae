/* bitmap.h - cells without links: the order that rings keep by links is read from the bitmaps of pages.  Internal.
 *
 * While a collection runs a cell's colour is, on a page that is up to date,
 *
 *     now   before
 *      0      0     white
 *      0      1     ecru
 *      1      1     grey
 *      1      0     black
 *
 * and between collections `now` says what is allocated.  So greying sets one bit and scanning clears one, beside the page:
 * neither writes to a cell, and greying does not read one.
 *
 * Invariant: a page of cells is the one its class is allocated from (`current`), or in one list of its class.  Up to date:
 * `used` has white cells; `waiting` has none, but ecru ones, which are white when the collection ends; `full` has neither.
 * Of the last collection: `ecru` has white cells, `ecru_full` none.  Else `free`.  marked counts the grey and black cells of a
 * page that is not current; of one of the last collection, its ecru ones.  A page with grey cells is in the queue that
 * starts with grey_first; as long as it is, marked may be too low, and a full page may be `waiting`.
 *
 * Counts are kept for many cells at a time: the white cells of the word that is allocated from are objects already, and grey cells
 * are ecru (but `waiting` ones).
 */
#ifndef ACRE_COLLECTOR_BITMAP_H
#define ACRE_COLLECTOR_BITMAP_H

#include "find.h"
#include "internal.h"

/* A white cell of a class that has one becomes black, on a page that is up to date.  A bounded number of pages is looked at. */
char *acre_gc_bitmap_take(heap *h, size_t class);
/* White cells of a class that has one become black, those of at most so many words of the bitmap of a page: `taken` says which.
   Returns the page's first cell. */
char *acre_gc_bitmap_take_words(heap *h, size_t class, size_t most, uint64_t taken[BITMAP_WORDS]);
/* mark_value; false if value is not in a page of cells. */
bool acre_gc_bitmap_mark(heap *h, const void *value);
/* Values that are to be marked, together: by then what tells their colours has been fetched. */
#define FOUND_MAX 16
typedef struct found_values {
  size_t count;
  const void *values[FOUND_MAX];
} found_values;
/* mark_value of what is left of f. */
void acre_gc_bitmap_mark_found(heap *h, found_values *f);
/* The aligned words of [start, end) are to be marked; some of them are at once.  Returns how many are addresses of the heap. */
size_t acre_gc_bitmap_mark_words(heap *h, found_values *f, const char *start, const char *end);
/* Scans grey cells, until none is left, one is to be scanned as heap->scan says, or the budget is used up. */
void acre_gc_bitmap_scan(heap *h, budget *left);
/* Cells of a page have been marked, and none is grey. */
void acre_gc_bitmap_count(heap *h, uint32_t index);

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

/* acre_gc_bitmap_take, where the word of the last one has another white cell. */
static inline char *bitmap_take_quickly(ring *r) {
  unsigned bit = (unsigned)__builtin_ctzl(r->quick_white);
  r->quick_white &= r->quick_white - 1;
  *r->quick_bits |= (uint64_t)1 << bit;
  return r->quick_page + bitmap_offset(r->quick_offset + bit * CELL_MIN, r->cell_size, r->reciprocal);
}

#endif
