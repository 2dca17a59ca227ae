/* SPDX-License-Identifier: MIT */
/* space.h - frames and pages: which pages have memory, which are free, moving frames between them.
 * Internal. */
#ifndef ACRE_RUNTIME_GC_HEAP_SPACE_H
#define ACRE_RUNTIME_GC_HEAP_SPACE_H

#include "gc/heap/heap.h"

/* Reserves the areas and tables of a heap whose configuration is set.  False when memory is out;
 * nothing is kept then. */
bool acre_gc_space_start(heap *h);
void acre_gc_space_end(heap *h);

/* A page of the list area with a frame, of kind PAGE_SPARE but in no list; 0 if there is none: one
 * that came back, ... */
uint32_t acre_gc_space_take_spare(heap *h);
/* ... count of them in a row with new frames, ... */
uint32_t acre_gc_space_take_new(heap *h, uint32_t count);
/* ... one with a frame that was free in the big area. */
uint32_t acre_gc_space_take_moved(heap *h);
void acre_gc_space_add_spare(heap *h, uint32_t index);

/* count pages in a row of the big area, of kind PAGE_BIG; 0 if there are none.  is_full: of the
   object they are for.  *is_clean: they read as zero. */
uint32_t acre_gc_space_take_run(heap *h, uint32_t count, bool is_full, bool *is_clean);
/* The same from frames that are free anywhere, by moving them.  Needs as many as space_available
 * counts. */
uint32_t acre_gc_space_gather_run(heap *h, uint32_t count, bool is_full, bool *is_clean);
/* count pages of the big area are free: merges them with their neighbours. */
void acre_gc_space_add_free(heap *h, uint32_t first, uint32_t count);
/* The same where their memory went back to the system. */
void acre_gc_space_add_returned(heap *h, uint32_t first, uint32_t count);

/* Gives frames that are owed back to the system, at most as many runs. */
void acre_gc_space_repay(heap *h, size_t runs);

/* Lowers the limit to most pages, or as far as a few frames that are free and given back to the
   system make possible. False if none is free outside the pages of classes. */
bool acre_gc_space_shrink(heap *h, size_t most);

/* Frames that acre_gc_space_gather_run may use. */
static inline size_t space_available(const heap *h) {
  return h->space.limit_pages - h->space.mapped_pages + h->space.spare.count +
         h->space.free_run_pages;
}

void acre_gc_list_push(heap *h, page_list *l, uint32_t index);
/* Needs the page in this list. */
void acre_gc_list_remove(heap *h, page_list *l, uint32_t index);
/* All of from goes to the end of to. */
void acre_gc_list_splice(heap *h, page_list *to, page_list *from);

#endif
