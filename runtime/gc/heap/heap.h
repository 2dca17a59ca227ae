/* SPDX-License-Identifier: MIT */
/* heap.h - the structure of a collected heap.  Internal to the collector; docs/design/collector.md
 * has the invariants.
 *
 * Each part has a header of its own, with its invariant, and a module that changes it; the others
 * read it.  What is in none of them is decided when the heap is made.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/heap.h>

#include "gc/heap/heap_account.h"
#include "gc/heap/heap_cells.h"
#include "gc/heap/heap_cycle.h"
#include "gc/heap/heap_pace.h"
#include "gc/heap/heap_quarantine.h"
#include "gc/heap/heap_roots.h"
#include "gc/heap/heap_space.h"
#include "gc/heap/heap_watch.h"
#include "memory/pages.h"
#include "platform/os.h"
#include "platform/procfs.h"
#include "platform/thread.h"

#define THREAD_NONE UINT32_MAX

/* Words that are visited in the time that it takes to scan a slot: of what was written, or of
   memory outside the heap, because they lie side by side and few lead to something new; elsewhere
   those that are no address of the heap. */
#define VISITED_AT_ONCE 4

typedef struct heap {
  acre_heap head;
  uint32_t signature;
  uint32_t thread; /* that made it, or (process.c) has the lock; of a deleted heap THREAD_NONE */
  acre_heap_config config;
  size_t header_size, natural_align;
  size_t cell_origin; /* where on a page its first cell starts: 8 where that aligns objects to 16,
                         else 0 */
  size_t second_link; /* of a header of more than one word: where it is */
  bool tracks_pages;
  bool uses_bitmaps;
  bool is_packed;                       /* headers of one word with links */
  bool is_checked;                      /* by Valgrind or AddressSanitizer */
  bool (*check)(const acre_heap *head); /* after each increment; null: none is wanted */

  /* The heap of the process (process.c). */
  bool has_thread_caches; /* threads allocate from runs of their own (thread_cache.h) */
  bool is_free_a_hint;    /* that something still refers to a freed object is not reported */
  bool keeps_freed;       /* what was reported so stays known as freed, and is reported again */

  heap_account account;
  heap_pace pace;
  heap_cells cells;
  heap_cycle cycle;
  heap_quarantine quarantine;
  heap_watch watch;
  heap_space space;
  heap_roots roots;
} heap;

#define HEAP_SIGNATURE UINT32_C(0x48454150) /* "HEAP"; set last, cleared first */

static inline char *page_address(const heap *h, uint32_t index) {
  return h->space.base + ((size_t)index << ACRE_PAGE_SHIFT);
}
static inline uint32_t page_index(const heap *h, const void *p) {
  return (uint32_t)((size_t)((const char *)p - h->space.base) >> ACRE_PAGE_SHIFT);
}
static inline uint64_t *page_now(const heap *h, uint32_t index) {
  return h->space.bits + (size_t)index * 2 * BITMAP_WORDS;
}
static inline uint64_t *page_before(const heap *h, uint32_t index) {
  return page_now(h, index) + BITMAP_WORDS;
}
static inline uint64_t *page_starts(const heap *h, uint32_t index) {
  return h->space.starts + (size_t)index * START_WORDS;
}
static inline bool is_list_page(const heap *h, uint32_t index) {
  return index < h->space.list_pages;
}
static inline size_t segment_of(const heap *h, uint32_t index) {
  return index / h->space.segment_pages;
}
static inline ring *ring_at(const heap *h, size_t segment, size_t class) {
  return &h->cells.rings[segment * h->cells.class_count + class];
}
/* Without a library call, which the builtin is where the processor may lack the instruction. */
static inline size_t count_ones(uint64_t word) {
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return word * UINT64_C(0x0101010101010101) >> 56;
}
static inline size_t round_up(size_t size, size_t align) {
  return (size + align - 1) & ~(align - 1);
}

static inline bool is_collecting(const heap *h) { return h->cycle.phase != PHASE_IDLE; }

/* The heap of the process, while it has few pages: it is visited faster, because it is in caches.
 */
#define SMALL_PAGES 2048
static inline bool is_small(const heap *h) {
  return h->pace.growth_min && h->space.mapped_pages <= SMALL_PAGES;
}

/* Bytes allocated between two increments.  While what was written is chased, the program is to
 * write little. */
static inline uint32_t heap_interval(const heap *h) {
  bool is_chase = h->cycle.phase == PHASE_CHASE || h->cycle.phase == PHASE_SETTLE;
  return is_chase && h->watch.chase_interval ? h->watch.chase_interval : h->config.increment_bytes;
}

/* Bytes of cells allocated. */
static inline uint64_t heap_clock(const heap *h) { return h->account.made.cells; }

/* Without links: cells that are next to be allocated, and counted as allocated already. */
static inline size_t ring_pending(const ring *r) {
  size_t bytes = (size_t)(r->quick_end - r->quick_next);
  return count_ones(r->quick_white) + (bytes ? bytes / r->cell_size : 0);
}
static inline tally heap_made(const heap *h) {
  tally t = h->account.made;
  for (size_t i = 0; i < h->cells.class_count && h->uses_bitmaps; i++) {
    size_t pending = ring_pending(&h->cells.rings[i]);
    t.objects -= pending;
    t.cells -= pending * h->cells.rings[i].cell_size;
  }
  return t;
}
static inline tally heap_alive(const heap *h) {
  return tally_plus(heap_made(h), h->account.alive_less_made);
}
/* Bytes of cells that are alive, with those that are pending: they are few, and to count them takes
 * long. */
static inline uint64_t heap_alive_about(const heap *h) {
  return heap_clock(h) + h->account.alive_less_made.cells;
}
static inline tally heap_marked(const heap *h) {
  return tally_plus(heap_made(h), h->account.marked_less_made);
}

/* Every entry point gets at the heap through here.  A thread without a number yet, which has 0, has
 * made no heap. */
_Noreturn void acre_gc_heap_refuse(const acre_heap *head);
static inline heap *acre_gc_heap_of(const acre_heap *head) {
  heap *h = (heap *)head;
  if (__builtin_expect(!h || h->signature != HEAP_SIGNATURE || h->thread != acre_self.id, 0))
    acre_gc_heap_refuse(head);
  return h;
}
const char *acre_gc_heap_name(const heap *h);

#endif
