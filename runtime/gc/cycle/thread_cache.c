/* SPDX-License-Identifier: MIT */
/* thread_cache.c - see thread_cache.h. */
#include "gc/cycle/thread_cache.h"

#include <string.h>

#include "gc/cycle/allocate.h"
#include "gc/cycle/cycle.h"
#include "gc/cycle/pace.h"
#include "gc/heap/bitmap.h"
#include "platform/check.h"
#include "platform/thread.h"

/* What it refers to is not what is in use: acre_gc_cache_each tells. */
static const acre_type cache_type = {
    .name = "thread cache", .size = sizeof(acre_gc_thread_cache), .align = 8};
const acre_site acre_gc_cache_site = {.type = &cache_type};

/* What is on a stack. */
static const acre_type pending_type = {.name = "pending", .size = 1, .align = 1};
static const acre_site pending_site = {.type = &pending_type};

/* Never written: without white cells nothing is taken. */
static ring no_ring;
static acre_gc_thread_cache no_cells;
_Thread_local acre_gc_thread_cache *acre_gc_own_cache = &no_cells;

static size_t run_of(size_t size) { return (size + 7) / CELL_MIN; }
static size_t capacity_of(size_t run) { return (run + 1) * CELL_MIN - sizeof(uint64_t); }

void acre_gc_cache_start(heap *h) {
  /* A freed object that is still in use is reported once, by a flag that allocation would have to
   * clear. */
  h->has_thread_caches = h->cells.quick_aligns >> 16 & 1 && h->is_free_a_hint && h->cell_origin &&
                         h->cells.class_count >= CACHE_CLASSES &&
                         h->cells.class_count <= CACHE_CLASSES + STACK_CLASSES;
  for (size_t run = 0; run < CACHE_CLASSES && h->has_thread_caches; run++)
    h->has_thread_caches = h->cells.classes[run].size == (run + 1) * CELL_MIN;
  if (!h->has_thread_caches)
    return;
  /* Larger cells are cleared when they are allocated, not in advance, and so never quickly. */
  h->cells.cleared_classes = CACHE_CLASSES;
  for (size_t words = CACHED_BYTES_MAX / 8 + 1; words <= QUICK_WORDS; words++)
    h->cells.quick_rings[words] = &no_ring;
}

/* Bytes that are taken at a time: no more is allocated between two increments. */
static size_t bytes_at_once(const heap *h) {
  uint64_t clock = heap_clock(h), room = h->pace.trigger > clock ? h->pace.trigger - clock : 0;
  return room > heap_interval(h) ? room : heap_interval(h);
}
static size_t words_at_once(const heap *h) {
  size_t bytes = bytes_at_once(h);
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

/* The class of larger cells for an object; class_count where there is none. */
static size_t stacked_class(const heap *h, size_t size) {
  if (size > CELL_MAX - sizeof(uint64_t))
    return h->cells.class_count;
  size_t class = h->cells.class_of[(size + sizeof(uint64_t) + 7) / 8];
  return acre_gc_cell_is_dearer(h, class, size) ? h->cells.class_count : class;
}

/* Only when it is cleared does an object have pointers, for a collection that runs meanwhile. */
static void *take_from_stack(acre_gc_thread_cache *all, size_t size, const acre_site *site,
                             size_t set) {
  const heap *h = all->heap;
  size_t class = stacked_class(h, size);
  if (class == h->cells.class_count || !all->stacks[class - CACHE_CLASSES].count)
    return NULL;
  acre_gc_cell_stack *s = &all->stacks[class - CACHE_CLASSES];
  size_t count = s->count - 1, padding = h->cells.classes[class].size - sizeof(uint64_t) - size;
  char *object = s->objects[count];
  __atomic_store_n(&s->count, count, __ATOMIC_RELEASE);
  all->waste += padding;
  if (set < size)
    memset(object + set, 0, size - set);
  __atomic_store_n((uint64_t *)object - 1,
                   (uintptr_t)site | (uint64_t)padding << INFO_PADDING_SHIFT, __ATOMIC_RELEASE);
  return object;
}

void *acre_gc_cache_take_slowly(size_t size, const acre_site *site, size_t set) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (all == &no_cells)
    return NULL;
  if (size > CACHED_BYTES_MAX)
    return take_from_stack(all, size, site, set);
  return all->next[run_of(size)].cells || turn_to_next_word(all, run_of(size))
             ? acre_gc_cache_take(size, site)
             : NULL;
}

/* A thread that only frees has a cache too, or each free would take the lock. */
static bool make_cache(heap *h) {
  ACRE_ASSERT(h->has_thread_caches && acre_gc_own_cache == &no_cells);
  acre_gc_thread_cache *all = acre_heap_try_alloc(&h->head, sizeof *all, 8, &acre_gc_cache_site);
  if (!all)
    return false;
  all->heap = h;
  all->forks = h->quarantine.forks;
  all->unreported = all->reported = CACHE_FREED_MIN;
  acre_gc_own_cache = all;
  if (h->quarantine.is_on && !acre_self.has_exit_hook)
    acre_thread_hook_exit();
  return true;
}

static bool fill_run(heap *h, acre_gc_thread_cache *all, size_t run) {
  acre_gc_cached_cells *r = &all->runs[run];
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

static bool fill_stack(heap *h, acre_gc_thread_cache *all, size_t class) {
  acre_gc_cell_stack *s = &all->stacks[class - CACHE_CLASSES];
  size_t size = h->cells.classes[class].size, bytes = bytes_at_once(h);
  size_t most = (bytes < STACK_BYTES ? bytes : STACK_BYTES) / size, count = s->count;
  most = most < 1 ? 1 : most > STACK_CELLS ? STACK_CELLS : most;
  for (; count < most && acre_gc_cells_refill(h, class); count++) {
    char *start = acre_gc_bitmap_take(h, class);
    *(uint64_t *)start = (uintptr_t)&pending_site;
    s->objects[count] = start + sizeof(uint64_t);
    h->account.made.useful += size - sizeof(uint64_t);
  }
  __atomic_store_n(&s->count, count, __ATOMIC_RELEASE);
  return count != 0;
}

bool acre_gc_cache_fill(heap *h, size_t size) {
  ACRE_ASSERT(h->thread == acre_self.id);
  size_t class = size > CACHED_BYTES_MAX ? stacked_class(h, size) : run_of(size);
  if (!h->has_thread_caches || class == h->cells.class_count)
    return false;
  pace_allocation(h);
  if (acre_gc_own_cache == &no_cells && !make_cache(h))
    return false;
  acre_gc_thread_cache *all = acre_gc_own_cache;
  h->account.made.useful -= all->waste;
  all->waste = 0;
  bool is_filled = class < CACHE_CLASSES ? fill_run(h, all, class) : fill_stack(h, all, class);
  if (!is_filled)
    acre_gc_clear_dead_stack(); /* memory is out: what comes next will collect */
  return is_filled;
}

/* Not where a collection has still to mark the object: it would count what is new again.  Nor where
   flags say that the object begins elsewhere in its cell. */
size_t acre_gc_cache_fill_place(const heap *h, void *p) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  enum colour colour;
  size_t size = acre_gc_cache_cell_size(h, p, &colour);
  uint64_t *header = (uint64_t *)p - 1;
  if (all == &no_cells || size == 0 || colour != COLOUR_MARKED || *header >> INFO_FLAGS_SHIFT)
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

typedef struct freeing {
  heap *h;
  size_t bytes; /* of the cells that were freed */
} freeing;

static void free_taken(void *context, const void *object) {
  freeing *f = context;
  cell c;
  if (find_cell(f->h, object, &c) && acre_gc_quarantine_put(f->h, &c))
    f->bytes += cell_bytes(f->h, &c);
}

/* The cache with what is in it.  That counts as freed, or threads that end soon would fill memory
 * before a collection is due. */
static void free_cache(heap *h, const acre_gc_thread_cache *all) {
  freeing f = {h, 0};
  acre_gc_cache_each(all, false, free_taken, &f);
  free_taken(&f, all);
  acre_gc_pace_freed(h, f.bytes);
}

void acre_gc_cache_end(heap *h) {
  ACRE_ASSERT(h->thread == acre_self.id);
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (all == &no_cells || !h->quarantine.is_on)
    return;
  acre_gc_own_cache = &no_cells;
  acre_gc_pace_freed(h, all->reported - all->unreported);
  free_cache(h, all);
}

void acre_gc_cache_lose_others(heap *h) {
  ACRE_ASSERT(h->thread == acre_self.id);
  if (!h->quarantine.is_on)
    return;
  h->quarantine.forks++;
  h->quarantine.has_lost_caches = true;
  if (acre_gc_own_cache != &no_cells)
    acre_gc_own_cache->forks = h->quarantine.forks;
}

static bool is_lost_cache(const heap *h, const cell *c) {
  if (cell_colour(h, c) != COLOUR_MARKED || quarantine_has(h, c) ||
      header_site(h, c->start) != &acre_gc_cache_site)
    return false;
  return ((const acre_gc_thread_cache *)cell_object(h, c).start)->forks != h->quarantine.forks;
}

void acre_gc_cache_free_lost(heap *h, uint32_t index) {
  ACRE_ASSERT(h->thread == acre_self.id);
  const cell_class *class = &h->cells.classes[h->space.pages[index].class];
  for (size_t i = 0; class->size >= sizeof(acre_gc_thread_cache) && i < class->cells; i++) {
    cell c;
    fill_cell(h, &c, index, h->cell_origin + i * class->size, class->size,
              h->space.pages[index].class);
    if (!is_lost_cache(h, &c))
      continue;
    free_cache(h, (const void *)cell_object(h, &c).start);
  }
}

/* Not for the few that destructors free when a thread ends: what ends its cache may not come again.
 */
static bool may_get_cache(const heap *h) {
  return h->has_thread_caches && acre_gc_own_cache == &no_cells && acre_self.exit_rounds == 0;
}

/* How much the thread may free before it tells the heap again. */
static size_t freed_until_report(const heap *h) {
  if (h->quarantine.is_on) {
    /* Steps follow, soon rather than many at once. */
    bool has_steps = is_collecting(h) && h->config.is_incremental;
    return has_steps && CACHE_FREED_MIN > h->config.increment_bytes ? h->config.increment_bytes
                                                                    : CACHE_FREED_MIN;
  }
  size_t part = heap_alive_about(h) / CACHE_FREED_PART;
  return part > CACHE_FREED_MIN ? part : CACHE_FREED_MIN;
}

void acre_gc_cache_report_freed(heap *h, size_t bytes) {
  ACRE_ASSERT(h->thread == acre_self.id);
  if (may_get_cache(h))
    make_cache(h);
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (bytes < all->unreported) {
    all->unreported -= bytes;
    return;
  }
  if (all != &no_cells) {
    bytes += all->reported - all->unreported;
    all->unreported = all->reported = freed_until_report(h);
  }
  acre_gc_pace_freed(h, bytes);
  acre_gc_pace_after_free(h, bytes);
}

void acre_gc_cache_discount(acre_heap_stats *stats) {
  const acre_gc_thread_cache *all = acre_gc_own_cache;
  for (size_t run = 0; run < CACHE_CLASSES && all != &no_cells; run++) {
    size_t count = count_ones(all->next[run].cells);
    for (size_t word = all->runs[run].next_word; word < BITMAP_WORDS; word++)
      count += count_ones(all->runs[run].taken[word]);
    stats->allocated_objects -= count;
    stats->live_objects -= count;
    stats->allocated_bytes -= count * capacity_of(run);
  }
  for (size_t i = 0; i < STACK_CLASSES && all != &no_cells; i++) {
    size_t count = all->stacks[i].count;
    stats->allocated_objects -= count;
    stats->live_objects -= count;
    if (count)
      stats->allocated_bytes -=
          count * (all->heap->cells.classes[CACHE_CLASSES + i].size - sizeof(uint64_t));
  }
  stats->allocated_bytes -= all->waste;
}

static void visit_cells(const acre_gc_cached_cells *r, size_t word, uint64_t cells,
                        void (*visit)(void *context, const void *object), void *context) {
  for (; cells; cells &= cells - 1)
    visit(context, r->first + (word * 64 + (size_t)__builtin_ctzl(cells)) * CELL_MIN);
}

static void visit_stack(const acre_gc_cell_stack *s, bool has_last,
                        void (*visit)(void *context, const void *object), void *context) {
  size_t count = __atomic_load_n(&s->count, __ATOMIC_ACQUIRE);
  count += has_last && count < STACK_CELLS && s->objects[count];
  for (size_t i = 0; i < count; i++)
    visit(context, s->objects[i]);
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
  for (size_t i = 0; i < STACK_CLASSES; i++)
    visit_stack(&all->stacks[i], has_last && all != acre_gc_own_cache, visit, context);
}
