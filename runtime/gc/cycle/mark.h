/* SPDX-License-Identifier: MIT */
/* mark.h - greying what a pointer refers to, and scanning what is grey.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_MARK_H
#define ACRE_RUNTIME_GC_CYCLE_MARK_H

#include "gc/heap/cell.h"
#include "gc/heap/heap.h"

/* If value points to an ecru object, it becomes grey.  Needs a collection.  O(1). */
void acre_gc_mark_slowly(heap *h, const void *value);
/* The same for what has links: not the cells of a heap that uses_bitmaps. */
void acre_gc_mark_linked(heap *h, const void *value);
/* Does value point into the big object that was found marked last?  Arrays of pointers into one are
 * common. */
static inline bool is_in_marked_big(const heap *h, const void *value) {
  return (size_t)((const char *)value - h->cycle.marked_big) < h->cycle.marked_big_bytes;
}
static inline void mark_value(heap *h, const void *value) {
  if ((size_t)((const char *)value - h->space.base) < h->space.bytes && !is_in_marked_big(h, value))
    acre_gc_mark_slowly(h, value);
}
/* A freed object was found: reported, with heap->cycle.holder. */
void acre_gc_mark_freed(heap *h, const cell *c);
/* The object is what is scanned next.  Needs none to be scanned. */
void acre_gc_mark_start_scan(heap *h, const object_view *o);
/* Marks what the aligned words of [start, start+size) point to.  Needs a collection. */
void acre_gc_mark_words(heap *h, const char *start, size_t size);

static inline bool has_grey(const heap *h) {
  return h->cycle.scan.object || h->cycle.grey_rings || h->cycle.grey_first;
}
/* Scans grey objects until none is left (true) or the budget is used up.  Needs a collection. */
bool acre_gc_mark_some(heap *h, budget *b);

static inline void budget_use(budget *b, size_t words) {
  b->words -= words < b->words ? words : b->words;
}
/* What it takes to visit words of which so many were found to be addresses of the heap, in slots.
 */
static inline size_t slots_of(size_t words, size_t found) {
  return found + (words - found) / VISITED_AT_ONCE;
}
/* What was marked may have brought pages up to date, each of which takes as long as so many slots:
   with its lists it misses the caches that often. */
#define TOUCH_WORDS 8
static inline void budget_use_touched(heap *h, budget *b) {
  if (__builtin_expect(h->cycle.pages_touched != 0, 0)) {
    budget_use(b, h->cycle.pages_touched * TOUCH_WORDS);
    h->cycle.pages_touched = 0;
  }
}

#endif
