/* SPDX-License-Identifier: MIT */
/* quarantine.h - a heap that reclaims only what was freed: freed objects wait until a collection
 * has found no word that refers to them.  Internal.
 *
 * A collection of such a heap has the phases of any other, but nothing is grey.  It chooses what it
 * looks for (condemns freed objects: ecru), reads all other objects once, page after page, and what
 * was written since (rescan.h), and releases what stayed ecru.  What it finds it clears instead of
 * reading it: so marking is not transitive, and no pointer to what is released is left in it.  An
 * object that was never freed is black for ever.
 *
 * Invariant, while a collection runs: heap_quarantine.h has that of the bits.  After PHASE_ROOTS no
 * word of a black object, freed or not, and none outside the heap that was searched, refers to
 * anything ecru, but where cycle.h says so.  From PHASE_WEAK on none does.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_QUARANTINE_H
#define ACRE_RUNTIME_GC_CYCLE_QUARANTINE_H

#include "gc/cycle/mark_bitmap.h"
#include "gc/heap/cell.h"
#include "gc/heap/heap.h"
#include "platform/atomic.h"

/* Words that a heap with a quarantine reads in the time of a slot; and slots that eight words take
 * of which some are addresses. */
#define SWEPT_AT_ONCE 8

/* The heap gets a quarantine; false when memory is out.  Needs a heap without an object. */
bool acre_gc_quarantine_open(heap *h);

/* -- What the program frees -------------------------------------------------------------------- */

/* Sets a bit of a page's `before`, as any thread may at any time.  False if it was set. */
static inline bool quarantine_set(uint64_t *before, uint64_t bit) {
  if (!acre_is_single_threaded())
    return !(__atomic_fetch_or(before, bit, __ATOMIC_RELAXED) & bit);
  bool is_new = !(*before & bit);
  *before |= bit;
  return is_new;
}
/* Was the object freed?  It is one, and not white. */
static inline bool quarantine_has(const heap *h, const cell *c) {
  return h->quarantine.is_on && bit_is_set(page_before(h, c->page), c->bit);
}
/* The object is freed; false if it was before.  Needs the lock, and an object. */
bool acre_gc_quarantine_put(heap *h, const cell *c);
/* The bytes that the object takes in the heap while it waits: of one whose memory was returned, a
   part of its addresses. */
size_t acre_gc_quarantine_weight(const heap *h, const cell *c);

/* Bytes of what is alive without so many that were freed. */
static inline uint64_t quarantine_unfreed(const heap *h, uint64_t freed) {
  uint64_t alive = heap_alive(h).cells;
  return alive > freed ? alive - freed : 0;
}

/* -- A collection ------------------------------------------------------------------------------ */

/* The collection that starts has condemned nothing and read nothing yet. */
void acre_gc_quarantine_start(heap *h);
/* Slices of a walk that makes what was freed ecru; true when it is done.  Needs PHASE_ROOTS. */
bool acre_gc_quarantine_condemn(heap *h, budget *b);
/* Slices of another one that makes what is ecru white; true when it is done.  Needs PHASE_LAST. */
bool acre_gc_quarantine_release(heap *h, budget *b);

/* The cell at a distance from the first one of a page was found, and its bit is set: what it holds
 * is cleared. */
void acre_gc_quarantine_found(heap *h, uint32_t index, size_t start);
/* The big object was found: it is black, and what it holds is cleared.  Needs one that is ecru. */
void acre_gc_quarantine_found_big(heap *h, const cell *c);

/* What the aligned words of [start, end) point to is found; some of it is left in f. */
void acre_gc_quarantine_read(heap *h, found_values *f, const char *start, const char *end);
/* The same for the part in [start, end) of the objects on a page of cells, but those that are ecru.
 */
void acre_gc_quarantine_read_cells(heap *h, uint32_t index, const char *start, const char *end,
                                   found_values *f);

#endif
