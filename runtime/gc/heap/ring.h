/* SPDX-License-Identifier: MIT */
/* ring.h - the treadmill: one circular list that holds the cells of a class in order of colour.
 * Internal.
 *
 * Invariant: from the sentinel on, in this order: white_count white cells, the black ones,
 * grey_count grey and ecru_count ecru; count in all.  black, grey and ecru name the first cell of
 * their colour, or if it has none, what the next one names; ecru without cells names the sentinel.
 * Without links (LINKS_NONE) there are only the counts.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_RING_H
#define ACRE_RUNTIME_GC_HEAP_RING_H

#include "gc/heap/heap.h"
#include "platform/check.h"

/* -- Links ------------------------------------------------------------------------------------- */

#define PACKED_LINK_MASK (((uint64_t)1 << PACKED_LINK_BITS) - 1)

static inline char *ring_cell(const ring *r, acre_ref ref) {
  return r->base + ((size_t)ref << UNIT_SHIFT);
}

static inline acre_ref ring_next(const ring *r, acre_ref ref) {
  switch (r->format) {
  case LINKS_FULL:
    return (acre_ref)((uint64_t *)ring_cell(r, ref))[0];
  case LINKS_HALF:
    return ((uint32_t *)ring_cell(r, ref))[0];
  case LINKS_PACKED:
    return (acre_ref)(*(uint64_t *)ring_cell(r, ref) & PACKED_LINK_MASK);
  default:
    return ((cell_page *)r->base)[ref].ring_next;
  }
}

static inline acre_ref ring_previous(const ring *r, acre_ref ref) {
  switch (r->format) {
  case LINKS_FULL:
    return (acre_ref)((uint64_t *)ring_cell(r, ref))[1];
  case LINKS_HALF:
    return ((uint32_t *)ring_cell(r, ref))[1];
  case LINKS_PACKED:
    return (acre_ref)(*(uint64_t *)ring_cell(r, ref) >> PACKED_LINK_BITS & PACKED_LINK_MASK);
  default:
    return ((cell_page *)r->base)[ref].ring_previous;
  }
}

static inline void ring_set_next(const ring *r, acre_ref ref, acre_ref next) {
  switch (r->format) {
  case LINKS_FULL:
    ((uint64_t *)ring_cell(r, ref))[0] = next;
    break;
  case LINKS_HALF:
    ((uint32_t *)ring_cell(r, ref))[0] = next;
    break;
  case LINKS_PACKED: {
    uint64_t *word = (uint64_t *)ring_cell(r, ref);
    *word = (*word & ~PACKED_LINK_MASK) | next;
    break;
  }
  default:
    ((cell_page *)r->base)[ref].ring_next = next;
  }
}

static inline void ring_set_previous(const ring *r, acre_ref ref, acre_ref previous) {
  switch (r->format) {
  case LINKS_FULL:
    ((uint64_t *)ring_cell(r, ref))[1] = previous;
    break;
  case LINKS_HALF:
    ((uint32_t *)ring_cell(r, ref))[1] = previous;
    break;
  case LINKS_PACKED: {
    uint64_t *word = (uint64_t *)ring_cell(r, ref);
    *word = (*word & ~(PACKED_LINK_MASK << PACKED_LINK_BITS)) | (uint64_t)previous
                                                                    << PACKED_LINK_BITS;
    break;
  }
  default:
    ((cell_page *)r->base)[ref].ring_previous = previous;
  }
}

static inline void ring_join(const ring *r, acre_ref first, acre_ref second) {
  ring_set_next(r, first, second);
  ring_set_previous(r, second, first);
}

static inline void ring_insert_before(const ring *r, acre_ref place, acre_ref ref) {
  acre_ref before = ring_previous(r, place);
  ring_join(r, before, ref);
  ring_join(r, ref, place);
}

/* -- Colours ----------------------------------------------------------------------------------- */

static inline size_t ring_black_count(const ring *r) {
  return r->count - r->white_count - r->grey_count - r->ecru_count;
}

static inline void ring_start(ring *r, char *base, acre_ref sentinel, enum link_format format) {
  *r = (ring){.base = base, .format = (uint8_t)format};
  r->sentinel = r->black = r->grey = r->ecru = sentinel;
  if (format != LINKS_NONE)
    ring_join(r, sentinel, sentinel);
}

/* The chain of count linked cells from first to last becomes the white cells that are taken first,
 * last before all. */
static inline void ring_add_white(ring *r, acre_ref first, acre_ref last, size_t count) {
  acre_ref before = ring_previous(r, r->black);
  ring_join(r, before, first);
  ring_join(r, last, r->black);
  r->white_count += count;
  r->count += count;
}

static inline void ring_remove_white(ring *r, acre_ref ref) {
  ACRE_ASSERT(r->white_count > 0);
  ring_join(r, ring_previous(r, ref), ring_next(r, ref));
  r->white_count--;
  r->count--;
}

/* A white cell becomes black.  Needs white_count > 0. */
static inline acre_ref ring_take(ring *r) {
  ACRE_ASSERT(r->white_count > 0);
  acre_ref ref = ring_previous(r, r->black);
  r->black = ref;
  r->white_count--;
  return ref;
}

/* Takes an ecru cell out of the list; the boundaries that named it name what follows. */
static inline void ring_unlink_ecru(ring *r, acre_ref ref) {
  ACRE_ASSERT(r->ecru_count > 0);
  acre_ref next = ring_next(r, ref);
  if (r->ecru == ref) {
    r->ecru = next;
    if (r->grey == ref)
      r->grey = next;
    if (r->black == ref)
      r->black = next;
  }
  ring_join(r, ring_previous(r, ref), next);
  r->ecru_count--;
  r->count--;
}

/* An ecru cell becomes the next grey one to be scanned. */
static inline void ring_grey(ring *r, acre_ref ref) {
  ring_unlink_ecru(r, ref);
  ring_insert_before(r, r->grey, ref);
  if (ring_black_count(r) == 0)
    r->black = ref;
  r->grey = ref;
  r->grey_count++;
  r->count++;
}

/* An ecru cell without pointers becomes black. */
static inline void ring_blacken(ring *r, acre_ref ref) {
  ring_unlink_ecru(r, ref);
  ring_insert_before(r, r->grey, ref);
  if (ring_black_count(r) == 0)
    r->black = ref;
  r->count++;
}

/* A black cell becomes the last ecru one.  Needs a ring without grey ones. */
static inline void ring_condemn(ring *r, acre_ref ref) {
  ACRE_ASSERT(r->grey_count == 0 && ring_black_count(r) > 0);
  acre_ref next = ring_next(r, ref);
  if (r->black == ref)
    r->black = next;
  ring_join(r, ring_previous(r, ref), next);
  ring_insert_before(r, r->sentinel, ref);
  r->black = r->black == r->sentinel ? ref : r->black;
  if (r->ecru_count++ == 0)
    r->grey = r->ecru = ref;
}

/* The next grey cell becomes black.  Needs grey_count > 0. */
static inline acre_ref ring_scan(ring *r) {
  ACRE_ASSERT(r->grey_count > 0);
  acre_ref ref = r->grey;
  r->grey = ring_next(r, ref);
  r->grey_count--;
  return ref;
}

/* A collection starts: what is black becomes ecru. */
static inline void ring_flip(ring *r) {
  ACRE_ASSERT(r->grey_count == 0 && r->ecru_count == 0);
  r->ecru = r->grey = r->black;
  r->ecru_count = ring_black_count(r);
  r->quick_page = NULL;
  r->quick_white = 0;
}

/* A collection ends: what is ecru becomes white, by moving the sentinel in front of it. */
static inline void ring_reclaim(ring *r) {
  ACRE_ASSERT(r->grey_count == 0);
  if (r->format == LINKS_NONE) {
    r->white_count += r->ecru_count;
    r->ecru_count = 0;
  }
  if (r->ecru_count == 0)
    return;
  if (ring_black_count(r) == 0)
    r->black = r->sentinel;
  ring_join(r, ring_previous(r, r->sentinel), ring_next(r, r->sentinel));
  ring_insert_before(r, r->ecru, r->sentinel);
  r->grey = r->ecru = r->sentinel;
  r->white_count += r->ecru_count;
  r->ecru_count = 0;
}

#endif
