/* SPDX-License-Identifier: MIT */
/* format.h - pages of a class: making and unmaking cells, which pages are free.  Internal. */
#ifndef ACRE_RUNTIME_GC_HEAP_FORMAT_H
#define ACRE_RUNTIME_GC_HEAP_FORMAT_H

#include "gc/heap/cell.h"
#include "gc/heap/heap.h"

/* Brings the bitmaps and the list of a page up to date; something on it is allocated or marked now.
 * Needs a page that is not. */
void acre_gc_page_touch_slowly(heap *h, uint32_t index);
static inline void page_touch(heap *h, uint32_t index) {
  if (h->space.pages[index].epoch != h->cycle.epoch)
    acre_gc_page_touch_slowly(h, index);
}

/* A page with a frame, or the pages of one large cell, become white cells of class.  At most
 * PAGE_CELLS_MAX steps.  Needs a page of kind PAGE_SPARE that is in no list. */
void acre_gc_page_carve(heap *h, uint32_t index, size_t class);
/* The cells of a page leave their rings; it is PAGE_SPARE then, in no list.  Needs a free page. */
void acre_gc_page_uncarve(heap *h, uint32_t index);
/* A free page of any class, uncarved; 0 if there is none. */
uint32_t acre_gc_page_migrate(heap *h);

/* Bytes of a cell that is free may not be touched, except what the collector keeps in it. */
void acre_gc_cell_forbid(const heap *h, char *start, size_t size);

/* Calls visit with each cell of a page, and each rest too small for one, in the order of addresses.
 */
typedef struct page_walk {
  const heap *heap;
  uint32_t index;
  size_t offset; /* of the next */
} page_walk;
/* The next cell; is_cell is false of a rest.  False at the end. */
bool acre_gc_page_next(page_walk *walk, cell *c, bool *is_cell);
/* Each cell of a heap whose cells all lie on one page. */
void acre_gc_each_cell(const heap *h, void (*act)(const cell *c, void *context), void *context);
/* Each cell with an object that was not reclaimed yet, and each big object. */
void acre_gc_each_object(const heap *h, void (*act)(const cell *c, void *context), void *context);

#endif
