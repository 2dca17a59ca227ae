/* SPDX-License-Identifier: MIT */
/* bitmap.c - see bitmap.h. */
#include "gc/heap/bitmap.h"

#include <string.h>

#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "platform/check.h"

#define CACHE_LINE 64

/* -- Allocation -------------------------------------------------------------------------------- */

static uint64_t white_of(const heap *h, const cell_class *class, uint32_t index, size_t word) {
  uint64_t taken = page_now(h, index)[word];
  if (is_collecting(h))
    taken |= page_before(h, index)[word];
  return class->starts[word] & ~taken;
}

/* The first range of cells without a gap, of those of a word. */
static uint64_t first_range(uint64_t cells, uint64_t starts) {
  uint64_t others = starts & ~cells & -(cells & -cells);
  return others ? cells & ((others & -others) - 1) : cells;
}

static char *cell_of_bit(const ring *r, size_t word, unsigned bit) {
  return r->quick_page + bitmap_offset((word * 64 + bit) * CELL_MIN, r->cell_size, r->reciprocal);
}

/* Cells that lie side by side, with their headers. */
typedef struct cell_range {
  char *start, *end;
} cell_range;

/* The range of cells from the first to the last bit of a word of the current page. */
static cell_range range_of_bits(const ring *r, size_t word, uint64_t bits) {
  return (cell_range){cell_of_bit(r, word, (unsigned)__builtin_ctzl(bits)),
                      cell_of_bit(r, word, 63 - (unsigned)__builtin_clzl(bits)) + r->cell_size};
}

static void clear_range(cell_range cells) {
  memset(cells.start, 0, (size_t)(cells.end - cells.start));
}

/* What a range of a whole word takes is fetched a word before: mostly it is in no cache. */
static void prefetch_cells(const char *at) {
  for (size_t i = 0; i < 64 * CELL_MIN; i += CACHE_LINE)
    __builtin_prefetch(at + i, 1);
}

void acre_gc_bitmap_open_range(const heap *h, ring *r) {
  ACRE_ASSERT(r->quick_white && r->quick_next == r->quick_end);
  size_t word = r->quick_offset / (64 * CELL_MIN);
  bool clears = r->class < h->cells.cleared_classes;
  const cell_class *class = &h->cells.classes[r->class];
  uint64_t bits =
      clears ? first_range(r->quick_white, class->starts[word]) : r->quick_white & -r->quick_white;
  cell_range cells = range_of_bits(r, word, bits);
  if (clears && !h->space.pages[class->current].is_clean)
    clear_range(cells);
  r->quick_white &= ~bits;
  *r->quick_bits |= bits;
  r->quick_next = cells.start;
  r->quick_end = cells.end;
  if (clears && !r->quick_white)
    prefetch_cells(r->quick_end);
}

/* What was not allocated of a range is white again, and next to be allocated. */
static void close_range(ring *r) {
  for (; r->quick_next != r->quick_end; r->quick_end -= r->cell_size) {
    size_t offset = (size_t)(r->quick_end - r->cell_size - r->quick_page);
    uint64_t bit = (uint64_t)1 << offset / CELL_MIN % 64;
    *r->quick_bits &= ~bit;
    r->quick_white |= bit;
  }
  r->quick_next = r->quick_end = NULL;
}

/* Counts white cells that were taken as objects. */
static void count_taken(heap *h, ring *r, size_t cells) {
  r->white_count -= cells;
  h->account.made.objects += cells;
  h->account.made.cells += cells * r->cell_size;
}

void acre_gc_bitmap_retire(heap *h, size_t number) {
  cell_class *class = &h->cells.classes[number];
  uint32_t index = class->current;
  if (!index)
    return;
  ring *r = ring_at(h, 0, number);
  close_range(r);
  const uint64_t *now = page_now(h, index);
  size_t marked =
      memcmp(now, class->starts, sizeof class->starts) == 0 ? class->cells : count_bits(now);
  bool has_white = false, is_full = marked == class->cells;
  for (size_t word = 0; word < BITMAP_WORDS && marked < class->cells && !has_white; word++)
    has_white = white_of(h, class, index, word) != 0;
  h->space.pages[index].marked = (uint16_t)marked;
  h->space.pages[index].is_clean = false;
  acre_gc_list_push(h, has_white ? &class->used : is_full ? &class->full : &class->waiting, index);
  class->current = 0;
  count_taken(h, r, -count_ones(r->quick_white));
  r->quick_white = 0;
}

/* Pages in part use come first: what they have free is of no use to other classes. */
static void take_page(heap *h, size_t number) {
  cell_class *class = &h->cells.classes[number];
  uint32_t index = class->used.first   ? class->used.first
                   : class->ecru.first ? class->ecru.first
                                       : class->free.first;
  page_touch(h, index);
  acre_gc_list_remove(h, &class->used, index);
  class->current = index;
  ring *r = ring_at(h, 0, number);
  r->quick_page = page_address(h, index) + h->cell_origin;
}

/* Goes on to a word of the current page, and counts its white cells as taken. */
static void turn_to_word(heap *h, size_t number, size_t word) {
  const cell_class *class = &h->cells.classes[number];
  ring *r = ring_at(h, 0, number);
  r->quick_white = white_of(h, class, class->current, word);
  r->quick_bits = page_now(h, class->current) + word;
  r->quick_offset = (uint32_t)(word * 64 * CELL_MIN);
  count_taken(h, r, count_ones(r->quick_white));
}

/* Goes on to a word with white cells.  The current page has some behind this word, or another has.
 */
static void next_word(heap *h, size_t number) {
  cell_class *class = &h->cells.classes[number];
  ring *r = ring_at(h, 0, number);
  size_t word = class->current ? r->quick_offset / (64 * CELL_MIN) + 1 : BITMAP_WORDS;
  for (;; word++) {
    if (word >= BITMAP_WORDS) {
      acre_gc_bitmap_retire(h, number);
      take_page(h, number);
      word = 0;
    }
    if (!class->starts[word])
      continue;
    turn_to_word(h, number, word);
    if (r->quick_white)
      return;
  }
}

/* Pending ones, of the word that is allocated from, or others. */
static inline bool has_white_cell(const ring *r) {
  return r->quick_next != r->quick_end || r->quick_white || r->white_count;
}

char *acre_gc_bitmap_take(heap *h, size_t number) {
  ring *r = ring_at(h, 0, number);
  ACRE_ASSERT(has_white_cell(r));
  if (r->quick_next == r->quick_end) {
    if (!r->quick_white)
      next_word(h, number);
    acre_gc_bitmap_open_range(h, r);
  }
  return bitmap_take_quickly(r);
}

char *acre_gc_bitmap_take_words(heap *h, size_t number, size_t most, uint64_t taken[BITMAP_WORDS]) {
  ring *r = ring_at(h, 0, number);
  ACRE_ASSERT(has_white_cell(r));
  memset(taken, 0, BITMAP_WORDS * sizeof *taken);
  close_range(r);
  if (!r->quick_white)
    next_word(h, number);
  size_t first = r->quick_offset / (64 * CELL_MIN),
         last = most < BITMAP_WORDS - first ? first + most - 1 : BITMAP_WORDS - 1;
  uint64_t *now = r->quick_bits - first;
  const uint64_t *before = now + BITMAP_WORDS, *starts = h->cells.classes[number].starts;
  uint64_t ecru = is_collecting(h) ? ~(uint64_t)0 : 0;
  size_t cells = 0;
  taken[first] = r->quick_white;
  now[first] |= r->quick_white;
  r->quick_white = 0;
  for (size_t word = first + 1; word <= last; word++) {
    uint64_t white = starts[word] & ~(now[word] | (before[word] & ecru));
    taken[word] = white;
    now[word] |= white;
    cells += count_ones(white);
  }
  count_taken(h, r, cells);
  bool is_clean = h->space.pages[h->cells.classes[number].current].is_clean;
  for (size_t word = first; word <= last && !is_clean; word++)
    for (uint64_t left = taken[word], bits; left; left &= ~bits) {
      bits = first_range(left, starts[word]);
      clear_range(range_of_bits(r, word, bits));
    }
  r->quick_bits = now + last;
  r->quick_offset = (uint32_t)(last * 64 * CELL_MIN);
  return r->quick_page;
}

/* -- Lists of pages ---------------------------------------------------------------------------- */

void acre_gc_bitmap_filled(heap *h, uint32_t index) {
  cell_class *class = &h->cells.classes[h->space.pages[index].class];
  ACRE_ASSERT(index != class->current);
  ACRE_ASSERT(marked_counts_bits(&h->space.pages[index], page_now(h, index)));
  acre_gc_list_remove(h, &class->waiting, index);
  acre_gc_list_push(h, &class->full, index);
}

void acre_gc_bitmap_touched(heap *h, uint32_t index, bool was_used) {
  cell_page *p = &h->space.pages[index];
  cell_class *class = &h->cells.classes[p->class];
  ACRE_ASSERT(!was_used || marked_counts_bits(p, page_before(h, index)));
  bool is_full = was_used && p->marked == class->cells;
  if (was_used)
    acre_gc_list_remove(h, is_full ? &class->ecru_full : &class->ecru, index);
  p->marked = 0;
  acre_gc_list_push(h, is_full ? &class->waiting : &class->used, index);
}

void acre_gc_bitmap_flip(heap *h, size_t number) {
  cell_class *class = &h->cells.classes[number];
  ACRE_ASSERT(!class->current && !class->waiting.count);
  class->ecru_full = class->full;
  class->full = class->waiting = (page_list){0};
}

void acre_gc_bitmap_reclaim(heap *h, size_t number) {
  cell_class *class = &h->cells.classes[number];
  ACRE_ASSERT(!class->current);
  acre_gc_list_splice(h, &class->used, &class->waiting);
  acre_gc_list_splice(h, &class->free, &class->ecru_full);
}
