/* SPDX-License-Identifier: MIT */
/* thread_cache.c - see thread_cache.h. */
#include "gc/cycle/thread_cache.h"

#include <string.h>

#include "gc/cycle/allocate.h"
#include "gc/cycle/pace.h"
#include "gc/heap/bitmap.h"
#include "platform/check.h"
#include "platform/thread.h"

/* What they refer to is not what is in use: acre_gc_cache_each tells. */
static const acre_type runs_type = {
    .name = "runs", .size = sizeof(acre_gc_thread_cache), .align = 8};
const acre_site acre_gc_cache_site = {.type = &runs_type};

/* Never written: without white cells nothing is taken. */
static acre_gc_thread_cache no_runs;
_Thread_local acre_gc_thread_cache *acre_gc_own_cache = &no_runs;

static size_t run_of(size_t size) { return (size + 7) / CELL_MIN; }
static size_t capacity_of(size_t run) { return (run + 1) * CELL_MIN - sizeof(uint64_t); }

void acre_gc_cache_start(heap *h) {
  /* A freed object that is still in use is reported once, by a flag that allocation would have to
   * clear. */
  h->has_thread_caches = h->cells.quick_aligns >> 16 & 1 && h->is_free_a_hint && h->cell_origin &&
                         h->cells.class_count >= CACHE_CLASSES;
  for (size_t run = 0; run < CACHE_CLASSES && h->has_thread_caches; run++)
    h->has_thread_caches = h->cells.classes[run].size == (run + 1) * CELL_MIN;
}

/* Words that are taken at a time: no more is allocated between two increments. */
static size_t words_at_once(const heap *h) {
  uint64_t clock = heap_clock(h), room = h->pace.trigger > clock ? h->pace.trigger - clock : 0;
  size_t bytes = room > heap_interval(h) ? room : heap_interval(h);
  return bytes >= ACRE_PAGE_SIZE ? BITMAP_WORDS : bytes / (64 * CELL_MIN) + 1;
}

/* At no time are cells neither of `next` nor of a word from next_word on. */
static inline bool turn_to_next_word(acre_gc_thread_cache *all, size_t run) {
  acre_gc_cached_cells *r = &all->runs[run];
  for (size_t word = r->next_word; word < BITMAP_WORDS; word++)
    if (r->taken[word]) {
      all->next[run] = (acre_gc_next_cells){r->taken[word], r->first + word * 64 * CELL_MIN};
      __atomic_store_n(&r->next_word, word + 1, __ATOMIC_RELEASE);
      return true;
    }
  __atomic_store_n(&r->next_word, (size_t)BITMAP_WORDS, __ATOMIC_RELEASE);
  return false;
}

void *acre_gc_cache_take_from_next_word(size_t size, const acre_site *site) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (__builtin_expect(size > CACHED_BYTES_MAX || all == &no_runs, 0) ||
      !turn_to_next_word(all, run_of(size)))
    return NULL;
  return acre_gc_cache_take(size, site);
}

static bool make_runs(heap *h) {
  acre_gc_thread_cache *all = acre_heap_try_alloc(&h->head, sizeof *all, 8, &acre_gc_cache_site);
  if (!all)
    return false;
  all->unreported = CACHE_FREED_MAX;
  acre_gc_own_cache = all;
  return true;
}

bool acre_gc_cache_fill(heap *h, size_t size) {
  ACRE_ASSERT(h->thread == acre_self.id);
  if (!h->has_thread_caches || size > CACHED_BYTES_MAX)
    return false;
  pace_allocation(h);
  if (acre_gc_own_cache == &no_runs && !make_runs(h))
    return false;
  acre_gc_thread_cache *all = acre_gc_own_cache;
  size_t run = run_of(size);
  acre_gc_cached_cells *r = &all->runs[run];
  h->account.made.useful -= all->waste;
  all->waste = 0;
  if (!acre_gc_cells_refill(h, run))
    return false;
  size_t before = h->account.made.objects;
  /* Cleared with their headers: who sees one before it is allocated finds nothing in it. */
  char *cells = acre_gc_bitmap_take_words(h, run, words_at_once(h), r->taken);
  h->account.made.useful += (h->account.made.objects - before) * capacity_of(run);
  r->first = cells + sizeof(uint64_t);
  r->next_word = 0;
  return turn_to_next_word(all, run);
}

/* Not where a collection has still to mark the object: it would count what is new again.  Nor where
   flags say that the object begins elsewhere in its cell. */
size_t acre_gc_cache_fill_place(const heap *h, void *p) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  enum colour colour;
  size_t size = acre_gc_cache_cell_size(h, p, &colour);
  uint64_t *header = (uint64_t *)p - 1;
  if (all == &no_runs || size == 0 || colour != COLOUR_MARKED || *header >> INFO_FLAGS_SHIFT)
    return 0;
  size_t capacity = size - sizeof *header,
         padding = *header >> INFO_PADDING_SHIFT & INFO_PADDING_MASK;
  if (padding) {
    memset((char *)p + capacity - padding, 0, padding);
    *header &= ~(INFO_PADDING_MASK << INFO_PADDING_SHIFT);
    all->waste -= padding; /* may be less than none */
  }
  return capacity;
}

void acre_gc_cache_report_freed(heap *h, size_t bytes) {
  ACRE_ASSERT(h->thread == acre_self.id);
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (all != &no_runs) {
    bytes += CACHE_FREED_MAX - all->unreported;
    all->unreported = CACHE_FREED_MAX;
  }
  acre_gc_pace_freed(h, bytes);
}

void acre_gc_cache_discount(acre_heap_stats *stats) {
  const acre_gc_thread_cache *all = acre_gc_own_cache;
  for (size_t run = 0; run < CACHE_CLASSES && all != &no_runs; run++) {
    size_t count = count_ones(all->next[run].cells);
    for (size_t word = all->runs[run].next_word; word < BITMAP_WORDS; word++)
      count += count_ones(all->runs[run].taken[word]);
    stats->allocated_objects -= count;
    stats->live_objects -= count;
    stats->allocated_bytes -= count * capacity_of(run);
  }
  stats->allocated_bytes -= all->waste;
}

static void visit_cells(const acre_gc_cached_cells *r, size_t word, uint64_t cells,
                        void (*visit)(void *context, const void *object), void *context) {
  for (; cells; cells &= cells - 1)
    visit(context, r->first + (word * 64 + (size_t)__builtin_ctzl(cells)) * CELL_MIN);
}

void acre_gc_cache_each(const acre_gc_thread_cache *all, bool has_last,
                        void (*visit)(void *context, const void *object), void *context) {
  for (size_t run = 0; run < CACHE_CLASSES; run++) {
    const acre_gc_cached_cells *r = &all->runs[run];
    /* In this order: a thread that allocates meanwhile sets them in the other. */
    size_t next_word = __atomic_load_n(&r->next_word, __ATOMIC_ACQUIRE);
    uint64_t cells = __atomic_load_n(&all->next[run].cells, __ATOMIC_RELAXED);
    uint64_t current = next_word ? r->taken[next_word - 1] : 0, allocated = current & ~cells;
    if (has_last && all != acre_gc_own_cache && allocated)
      cells |= (uint64_t)1 << (63 - __builtin_clzl(allocated));
    visit_cells(r, next_word - 1, cells & current, visit, context);
    for (size_t word = next_word; word < BITMAP_WORDS; word++)
      visit_cells(r, word, r->taken[word], visit, context);
  }
}
