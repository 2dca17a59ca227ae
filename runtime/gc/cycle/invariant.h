/* SPDX-License-Identifier: MIT */
/* invariant.h - the clauses of a collection's invariant (cycle.h) that can be looked at between two
 * phases: what assertions ask, and nothing else does.  Internal.
 *
 * Each takes time in the number of rings, but those that look at all cells, or at all weak
 * references, which say so.  gc/check/ has the verifier, which marks by itself.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_INVARIANT_H
#define ACRE_RUNTIME_GC_CYCLE_INVARIANT_H

#include "gc/cycle/mark.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/thread_cache.h"
#include "gc/heap/bitmap.h"
#include "gc/heap/cell.h"
#include "gc/heap/format.h"
#include "gc/heap/handles.h"
#include "gc/heap/ring.h"

static inline bool phase_may_follow(enum phase before, enum phase next) {
  switch (next) {
  case PHASE_IDLE:
    return before == PHASE_LAST;
  case PHASE_ROOTS:
    return before == PHASE_IDLE;
  case PHASE_CHASE:
    return before == PHASE_ROOTS || before == PHASE_SETTLE;
  case PHASE_SETTLE:
    return before == PHASE_ROOTS || before == PHASE_CHASE;
  case PHASE_WEAK:
    return before == PHASE_SETTLE;
  case PHASE_FINAL:
    return before == PHASE_WEAK;
  case PHASE_LAST:
    return before == PHASE_FINAL;
  }
  return false;
}

/* The rings of all classes, and that of the big objects as the last one. */
static inline size_t ring_total(const heap *h) {
  return h->cells.segments_started * h->cells.class_count + 1;
}
static inline const ring *ring_of(const heap *h, size_t index) {
  return index + 1 < ring_total(h) ? &h->cells.rings[index] : &h->cells.big;
}

static inline bool every_grey_ring_is_queued(const heap *h) {
  for (size_t i = 0; i < ring_total(h); i++)
    if (ring_of(h, i)->grey_count && !ring_of(h, i)->has_grey)
      return false;
  return true;
}

static inline bool nothing_is_grey(const heap *h) {
  size_t grey = h->cycle.grey_cell_count;
  for (size_t i = 0; i < ring_total(h); i++)
    grey += ring_of(h, i)->grey_count;
  return grey == 0 && !h->cycle.scan.object && !h->cycle.grey_first;
}

static inline bool nothing_is_ecru(const heap *h) {
  size_t ecru = h->cells.big_ecru_pages + h->cells.big_ecru_work;
  for (size_t i = 0; i < ring_total(h); i++)
    ecru += ring_of(h, i)->ecru_count;
  for (size_t i = 0; i < h->cells.class_count; i++)
    ecru += h->cells.classes[i].ecru.count + h->cells.classes[i].ecru_full.count +
            h->cells.classes[i].waiting.count;
  return ecru == 0;
}

/* value refers to nothing ecru: what a barrier leaves behind. */
static inline bool is_not_ecru(const heap *h, const void *value) {
  cell c;
  return !find_cell(h, value, &c) || cell_colour(h, &c) != COLOUR_ECRU;
}

static inline bool refers_to_nothing_ecru(const heap *h, const char *start, size_t size) {
  for (size_t at = -(uintptr_t)start & (sizeof(void *) - 1); at + sizeof(void *) <= size;
       at += sizeof(void *)) {
    void *value;
    memcpy(&value, start + at, sizeof value);
    if (!is_not_ecru(h, value))
      return false;
  }
  return true;
}

/* Whether no handle in use of this table names an ecru object. */
static inline bool names_nothing_ecru(const heap *h, const handle_table *t) {
  handle_cursor cursor = {0};
  for (const handle_entry *e; (e = acre_gc_handles_next(t, &cursor)) != NULL;)
    if (e->state == ENTRY_USED && e->object && !is_not_ecru(h, e->object))
      return false;
  return true;
}

/* From `at` on, count cells have that colour by their bits.  All cells. */
static inline bool segment_has_colour(const heap *h, const ring *r, acre_ref *at, size_t count,
                                      enum colour colour) {
  for (; count > 0; count--, *at = ring_next(r, *at)) {
    cell c = cell_at(h, r, *at);
    if (cell_colour(h, &c) != colour)
      return false;
  }
  return true;
}

/* Each cell is in the segment of its colour, of a ring without grey ones. */
static inline bool cells_are_in_their_segments(const heap *h, const ring *r) {
  acre_ref at = r->format == LINKS_NONE ? 0 : ring_next(r, r->sentinel);
  return r->format == LINKS_NONE ||
         (segment_has_colour(h, r, &at, r->white_count, COLOUR_WHITE) && at == r->black &&
          segment_has_colour(h, r, &at, ring_black_count(r), COLOUR_MARKED) && at == r->ecru &&
          segment_has_colour(h, r, &at, r->ecru_count, COLOUR_ECRU) && at == r->sentinel);
}

static inline bool all_cells_are_in_their_segments(const heap *h) {
  for (size_t i = 0; i < ring_total(h); i++)
    if (!cells_are_in_their_segments(h, ring_of(h, i)))
      return false;
  return true;
}

static inline bool live_counts_are_right(const heap *h, const page_list *l) {
  for (uint32_t at = l->first; at; at = h->space.pages[at].next)
    if (!marked_counts_bits(&h->space.pages[at], page_now(h, at)))
      return false;
  return true;
}

/* Whether each page of cells that is up to date counts its marks right.  Looks at all pages. */
static inline bool all_live_counts_are_right(const heap *h) {
  for (size_t i = 0; i < h->cells.class_count && h->uses_bitmaps; i++) {
    const cell_class *c = &h->cells.classes[i];
    if (!live_counts_are_right(h, &c->used) || !live_counts_are_right(h, &c->waiting) ||
        !live_counts_are_right(h, &c->full))
      return false;
  }
  return true;
}

/* What was found of the thread caches of a heap. */
typedef struct cache_marks {
  const heap *heap;
  bool are_all;
} cache_marks;

static inline void note_if_unmarked(void *context, const void *object) {
  cache_marks *m = context;
  cell c;
  m->are_all &= find_cell(m->heap, object, &c) && cell_colour(m->heap, &c) == COLOUR_MARKED;
}

static inline void look_at_cache(const cell *c, void *context) {
  const cache_marks *m = context;
  if (cell_colour(m->heap, c) != COLOUR_MARKED || quarantine_has(m->heap, c))
    return;
  object_view o = cell_object(m->heap, c);
  if (o.site == &acre_gc_cache_site)
    acre_gc_cache_each((const acre_gc_thread_cache *)o.start, false, note_if_unmarked, context);
}

/* Before the sweep: what a thread may still take without the lock is no garbage.  All cells. */
static inline bool thread_caches_are_marked(const heap *h) {
  cache_marks m = {h, true};
  if (h->has_thread_caches)
    acre_gc_each_cell(h, look_at_cache, &m);
  return m.are_all;
}

#endif
