/* SPDX-License-Identifier: MIT */
/* thread_cache.h - cells that a thread has taken in advance, to allocate from without the lock.
 * Internal.
 *
 * A thread's runs are an object of the heap that only a thread-local variable refers to: when the
 * thread ends, or is not in the child of a fork, it is garbage, and so are the cells in it.  Nobody
 * keeps a list of runs.
 *
 * Nothing is garbage by itself where there is a quarantine: there a thread that ends frees what is
 * in its cache, and in the child of a fork the walk that condemns comes by the others' caches.
 *
 * Small cells are in runs, by bits; larger ones are in stacks.
 *
 * Invariant: what is still to be allocated are objects.  Of a run, `next` and the words of `taken`
 * from next_word on name them, and they are zero with their headers; of a stack, the first `count`,
 * and their headers say that they hold no pointers.  Only the thread itself changes its cache:
 * what is taken with the lock, the rest at any time.  What it takes is black if a collection runs;
 * so a collection that marks what is still to be allocated when it scans the cache has seen to all
 * that will be.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_THREAD_CACHE_H
#define ACRE_RUNTIME_GC_CYCLE_THREAD_CACHE_H

#include "gc/cycle/quarantine.h"
#include "gc/heap/cell.h"
#include "gc/heap/heap.h"

#define CACHE_CLASSES 17 /* of 16, 32 ... bytes */
#define CACHED_BYTES_MAX \
  (CACHE_CLASSES * CELL_MIN - sizeof(uint64_t)) /* of the largest object that is allocated so */

/* The stacks of larger cells, up to a page: how many sizes, and the most cells and bytes each. */
#define STACK_CLASSES 16
#define STACK_CELLS 16
#define STACK_BYTES ((size_t)16 << 10)

/* Bytes that a thread may free before it tells the heap: at least so many, or that part of what is
 * alive. */
#define CACHE_FREED_MIN ((size_t)32 << 10)
#define CACHE_FREED_PART 64

/* Cells of a page, by its bitmap. */
typedef struct acre_gc_cached_cells {
  char *first; /* the object that the first bit stands for */
  uint64_t taken[BITMAP_WORDS];
  size_t next_word;
} acre_gc_cached_cells;

/* The cells of a word that are next.  Bit i stands for the object at first + i * CELL_MIN. */
typedef struct acre_gc_next_cells {
  uint64_t cells;
  char *first;
} acre_gc_next_cells;

/* Objects of a size; those from count on were allocated, the next one last. */
typedef struct acre_gc_cell_stack {
  size_t count;
  char *objects[STACK_CELLS];
} acre_gc_cell_stack;

typedef struct acre_gc_thread_cache {
  size_t waste;      /* of what was taken from the runs: bytes that were not asked for and are still
                        counted */
  size_t unreported; /* of `reported`: what the thread may still free so */
  size_t reported;
  unsigned forks; /* heap_quarantine.h; of an earlier process: its thread is not in this one */
  const heap *heap;
  acre_gc_next_cells next[CACHE_CLASSES];
  acre_gc_cached_cells runs[CACHE_CLASSES];
  acre_gc_cell_stack stacks[STACK_CLASSES]; /* of the classes behind these */
} acre_gc_thread_cache;

/* Never null: at first all runs are empty. */
extern _Thread_local acre_gc_thread_cache *acre_gc_own_cache
    __attribute__((tls_model("initial-exec")));

/* size bytes, zero, aligned to 16, without a lock; null where that does not go.  Not from signal
 * handlers. */
static inline void *acre_gc_cache_take(size_t size, const acre_site *site) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  if (__builtin_expect(size > CACHED_BYTES_MAX, 0))
    return NULL;
  /* A cell of n times 16 bytes holds an object of 8 bytes less. */
  size_t capacity = ((size + 7) & ~(size_t)(CELL_MIN - 1)) + 8;
  acre_gc_next_cells *next = &all->next[capacity / CELL_MIN];
  uint64_t cells = next->cells;
  if (__builtin_expect(cells == 0, 0))
    return NULL;
  next->cells = cells & (cells - 1);
  char *object = next->first + (unsigned)__builtin_ctzl(cells) * CELL_MIN;
  size_t padding = capacity - size;
  all->waste += padding;
  uint16_t high = (uint16_t)padding;
  if (site)
    ((uint64_t *)object)[-1] = (uintptr_t)site | (uint64_t)padding << INFO_PADDING_SHIFT;
  else
    memcpy(object - sizeof high, &high, sizeof high); /* the rest of the header is 0 */
  return object;
}

/* The size of the cell whose object starts at p, and the object's colour; 0 if there is none. */
static inline size_t acre_gc_cache_cell_size(const heap *h, const void *p, enum colour *colour) {
  size_t offset = (size_t)((const char *)p - h->space.cells_base),
         index = offset >> ACRE_PAGE_SHIFT;
  if (offset >= h->space.list_bytes)
    return 0;
  const cell_page *at = &h->space.pages[index];
  size_t inside = offset & (ACRE_PAGE_SIZE - 1), size = at->cell_size;
  if (at->kind != PAGE_CELLS || divide_offset(inside, at->reciprocal) * size != inside)
    return 0;
  cell c = {.page = (uint32_t)index, .bit = (uint32_t)(inside / CELL_MIN)};
  *colour = cell_colour_of_bits(h, &c);
  return *colour == COLOUR_WHITE ? 0 : size;
}

/* The word of the page's bitmap `now` with the bit of the cell whose object starts at p, and that
 * bit. */
static inline uint64_t *cache_bit(const heap *h, const void *p, size_t *bit) {
  size_t offset = (size_t)((const char *)p - h->space.cells_base);
  *bit = offset / CELL_MIN % PAGE_CELLS_MAX;
  return page_now(h, (uint32_t)(offset >> ACRE_PAGE_SHIFT)) + *bit / 64;
}
/* Does the object in a cell that starts at p wait in the quarantine? */
static inline bool cache_was_freed(const heap *h, const void *p) {
  size_t bit;
  const uint64_t *now = cache_bit(h, p, &bit);
  return h->quarantine.is_on && now[BITMAP_WORDS] >> bit % 64 & 1;
}
/* Frees the object at p without the lock, where that only counts.  False if it takes more, or is no
 * object. */
static inline bool acre_gc_cache_free(const heap *h, const void *p) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  enum colour colour;
  size_t size = acre_gc_cache_cell_size(h, p, &colour);
  if (size == 0 || size >= all->unreported)
    return false;
  all->unreported -= size;
  return true;
}
/* The same where there is a quarantine, in which the object waits.  Also false if it was freed
 * before. */
static inline bool acre_gc_cache_quarantine(const heap *h, const void *p) {
  acre_gc_thread_cache *all = acre_gc_own_cache;
  enum colour colour;
  size_t size = acre_gc_cache_cell_size(h, p, &colour), bit;
  if (size == 0 || size >= all->unreported || colour != COLOUR_MARKED)
    return false;
  uint64_t *now = cache_bit(h, p, &bit);
  if (!quarantine_set(now + BITMAP_WORDS, (uint64_t)1 << bit % 64))
    return false;
  all->unreported -= size;
  return true;
}
/* Makes the object at p as large as its cell without the lock, and returns its size.  0 where that
 * does not go. */
size_t acre_gc_cache_fill_place(const heap *h, void *p);
/* The calling thread ends: where there is a quarantine, what it has taken and not used is freed.
 * Needs the lock. */
void acre_gc_cache_end(heap *h);
/* The process is the child of a fork: where there is a quarantine, the caches of other threads are
 * lost.  Needs the lock. */
void acre_gc_cache_lose_others(heap *h);
/* Those on a page of cells are freed, with the cells that are in them.  Needs the lock. */
void acre_gc_cache_free_lost(heap *h, uint32_t index);
/* Bytes more have been freed.  Needs the lock. */
void acre_gc_cache_report_freed(heap *h, size_t bytes);

/* The heap's classes get runs, where it has what they need. */
void acre_gc_cache_start(heap *h);
/* The same, where another word of the run has some, or for larger objects: of those the caller sets
 * the first `set` bytes, which need not be zero. */
void *acre_gc_cache_take_slowly(size_t size, const acre_site *site, size_t set);
/* Cells for objects of size bytes, if they are to be had without a collection but what is due.
   False if there are none.  Needs the lock. */
bool acre_gc_cache_fill(heap *h, size_t size);
/* Takes what the calling thread has in its runs off the statistics. */
void acre_gc_cache_discount(acre_heap_stats *stats);

/* The allocation site of thread caches, by which they are recognised. */
extern const acre_site acre_gc_cache_site;
/* Calls visit with each object that is still to be allocated.  has_last: and of each run and stack
   with the last that was, which its thread may not know yet, if it is another thread than this one.
 */
void acre_gc_cache_each(const acre_gc_thread_cache *all, bool has_last,
                        void (*visit)(void *context, const void *object), void *context);

#endif
