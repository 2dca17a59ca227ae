/* SPDX-License-Identifier: MIT */
/* check.h - the verifier: recounts a heap from scratch.  Internal.
 *
 * check.c looks at the structures, check_marks.c marks from the roots.  What they agree on is a map
 * of their own, made from the rings alone: the colour of each cell, by where it is on its ring. The
 * collector's bitmaps are compared with it.
 */
#ifndef ACRE_RUNTIME_GC_CHECK_CHECK_H
#define ACRE_RUNTIME_GC_CHECK_CHECK_H

#include "gc/heap/cell.h"
#include "gc/heap/heap.h"

enum { SEEN_NONE = 0, SEEN_WHITE, SEEN_BLACK, SEEN_GREY, SEEN_ECRU, SEEN_REACHED = 0x80 };

typedef struct check {
  const heap *heap;
  uint8_t *cells; /* list area: by 16 bytes; then by page of the big area */
  size_t bytes;
  void **stack; /* objects to be visited */
  size_t depth, stack_bytes;
  bool is_in_queue; /* what is reached now is reached from finalizable objects only */
  bool is_sound;
} check;

/* The place of a cell in the map. */
static inline uint8_t *check_seen(const check *k, const cell *c) {
  const heap *h = k->heap;
  size_t list = (size_t)h->space.list_pages * PAGE_CELLS_MAX;
  return c->is_big ? &k->cells[list + c->page - h->space.list_pages]
                   : &k->cells[(size_t)c->page * PAGE_CELLS_MAX + c->bit];
}

/* Says what is wrong, where. */
bool acre_gc_check_fails(check *k, const char *what, const void *where);

#endif
