/* SPDX-License-Identifier: MIT */
/* quarantine.c - see quarantine.h. */
#include "gc/cycle/quarantine.h"

#include <string.h>

#include "gc/cycle/mark.h"
#include "gc/cycle/thread_cache.h"
#include "gc/cycle/word_filter.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

/* Pages that are looked at in the time that a slot takes, and what a page with freed cells takes.
 */
#define LOOKED_AT_ONCE 4
#define CHANGED_WORDS 16
/* The headers of larger cells are read: one may say that its object holds no pointers.  To read all
 * of a smaller cell takes less time. */
#define READ_WHOLE_MAX 128
/* Padding of less is read along. */
#define PASSED_PADDING 128
/* The pages of larger freed objects go back to the system at once. */
#define RETURNED_BYTES ((size_t)512 << 10)
/* What remains of such a one counts as this part of it. */
#define RETURNED_PART 16
#define DEAD_BYTE 0xdb

bool acre_gc_quarantine_open(heap *h) {
  ACRE_ASSERT(h->uses_bitmaps && h->account.made.objects == 0);
  h->quarantine.candidates = acre_os_table(h->space.list_pages);
  if (!h->quarantine.candidates)
    return false;
  /* No cells lie on the last page, but the first bytes of the big area are looked up there. */
  h->quarantine.candidates[h->space.list_pages - 1] = true;
  return h->quarantine.is_on = true;
}

/* -- What the program frees -------------------------------------------------------------------- */

static void list_big(heap *h, uint32_t *list, uint32_t first) {
  h->space.pages[first].next_grey = *list;
  *list = first;
}

static uint32_t pop_big(heap *h, uint32_t *list) {
  uint32_t first = *list;
  if (first)
    *list = h->space.pages[first].next_grey;
  return first;
}

/* Its addresses stay in the quarantine, its memory does not. */
static void return_memory(heap *h, uint32_t first) {
  cell_page *p = &h->space.pages[first];
  acre_os_decommit(page_address(h, first), (size_t)p->count << ACRE_PAGE_SHIFT);
  p->is_returned = true;
}

bool acre_gc_quarantine_put(heap *h, const cell *c) {
  ACRE_ASSERT(h->thread == acre_self.id && cell_colour(h, c) != COLOUR_WHITE);
  if (!quarantine_set(&page_before(h, c->page)[c->bit / 64], (uint64_t)1 << c->bit % 64))
    return false;
  if (c->is_big) {
    list_big(h, &h->quarantine.freed_big, c->page);
    if (h->space.pages[c->page].size >= RETURNED_BYTES && !h->is_checked)
      return_memory(h, c->page);
  }
  return true;
}

size_t acre_gc_quarantine_weight(const heap *h, const cell *c) {
  size_t bytes = cell_bytes(h, c);
  return c->is_big && h->space.pages[c->page].is_returned ? bytes / RETURNED_PART : bytes;
}

/* -- Condemning -------------------------------------------------------------------------------- */

void acre_gc_quarantine_start(heap *h) {
  ACRE_ASSERT(h->quarantine.condemned_big == 0);
  h->quarantine.page = h->quarantine.protected_until = 0;
  h->quarantine.read_ns = 0;
  h->quarantine.is_condemned = h->quarantine.is_swept = false;
  h->quarantine.condemned_big = h->quarantine.freed_big;
  h->quarantine.freed_big = 0;
  h->watch.visit_page = 0;
  h->cycle.marked_big = NULL;
  h->cycle.marked_big_bytes = 0;
}

static uint64_t freed_of(const heap *h, uint32_t index, size_t word) {
  return __atomic_load_n(&page_before(h, index)[word], __ATOMIC_RELAXED);
}

static uint32_t count_freed(const heap *h, uint32_t index) {
  uint32_t count = 0;
  for (size_t word = 0; word < BITMAP_WORDS; word++)
    count += (uint32_t)count_ones(freed_of(h, index, word) & page_now(h, index)[word]);
  return count;
}

/* Freed cells of a page become ecru.  One that was full has none that is white yet. */
static void condemn_page(heap *h, uint32_t index) {
  cell_page *p = &h->space.pages[index];
  cell_class *class = &h->cells.classes[p->class];
  if (class->current == index)
    acre_gc_bitmap_retire(h, p->class);
  uint32_t count = 0;
  for (size_t word = 0; word < BITMAP_WORDS; word++) {
    uint64_t *now = &page_now(h, index)[word], freed = *now & freed_of(h, index, word);
    *now &= ~freed;
    count += (uint32_t)count_ones(freed);
  }
  if (p->marked == class->cells) {
    acre_gc_list_remove(h, &class->full, index);
    acre_gc_list_push(h, &class->waiting, index);
  }
  p->marked = (uint16_t)(p->marked - count);
  ring_at(h, 0, p->class)->ecru_count += count;
  h->quarantine.candidates[index] = true;
}

static void condemn_big(heap *h, uint32_t first) {
  cell_page *p = &h->space.pages[first];
  page_now(h, first)[0] &= ~(uint64_t)1;
  ring_condemn(&h->cells.big, first);
  h->cells.big_used_pages -= p->count;
  h->cells.big_ecru_pages += p->count;
  h->cells.big_used_work -= big_work(p);
  h->cells.big_ecru_work += big_work(p);
}

static bool has_cells(const heap *h, uint32_t index) {
  return h->space.pages[index].kind == PAGE_CELLS && h->space.pages[index].epoch == h->cycle.epoch;
}

bool acre_gc_quarantine_condemn(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS);
  heap_quarantine *q = &h->quarantine;
  for (; q->condemned_big && b->words; budget_use(b, CHANGED_WORDS))
    condemn_big(h, pop_big(h, &q->condemned_big));
  for (; !q->is_condemned && q->page < h->space.list_frontier && b->words; q->page++) {
    if (q->page % LOOKED_AT_ONCE == 0)
      budget_use(b, 1);
    if (!has_cells(h, q->page))
      continue;
    if (q->has_lost_caches)
      acre_gc_cache_free_lost(h, q->page);
    if (count_freed(h, q->page)) {
      condemn_page(h, q->page);
      budget_use(b, CHANGED_WORDS);
    }
  }
  if (q->condemned_big || (!q->is_condemned && q->page < h->space.list_frontier))
    return false;
  q->is_condemned = true;
  q->has_lost_caches = false;
  q->page = 0;
  return true;
}

/* -- Finding ----------------------------------------------------------------------------------- */

/* The header stays, and what says where an aligned object begins; and padding that a memory checker
 * forbids. */
void acre_gc_quarantine_found(heap *h, uint32_t index, size_t start) {
  const cell_page *p = &h->space.pages[index];
  char *header = page_address(h, index) + h->cell_origin + start, *object = header + h->header_size;
  size_t shift = 0, padding = *(const uint64_t *)header >> INFO_PADDING_SHIFT & INFO_PADDING_MASK;
  if (header_flags(h, header) & OBJECT_ALIGNED)
    memcpy(&shift, object, sizeof shift);
  memset(object + shift, 0, p->cell_size - h->header_size - shift - (h->is_checked ? padding : 0));
  ring_at(h, 0, p->class)->ecru_count--;
}

/* The memory of one that is found again goes back to the system: it may be kept for long. */
static void clear_big(heap *h, uint32_t first) {
  cell_page *p = &h->space.pages[first];
  bool is_new = !p->was_found && !p->is_returned;
  p->was_found = true;
  if (is_new || h->is_checked) {
    memset(page_address(h, first), 0, p->size);
    return;
  }
  return_memory(h, first);
}

void acre_gc_quarantine_found_big(heap *h, const cell *c) {
  ACRE_ASSERT(c->is_big && cell_colour(h, c) == COLOUR_ECRU);
  cell_page *p = &h->space.pages[c->page];
  clear_big(h, c->page);
  page_now(h, c->page)[0] |= 1;
  ring_blacken(&h->cells.big, c->page);
  h->cells.big_ecru_pages -= p->count;
  h->cells.big_used_pages += p->count;
  h->cells.big_ecru_work -= big_work(p);
  h->cells.big_used_work += big_work(p);
  list_big(h, &h->quarantine.freed_big, c->page);
}

/* What reading looks at again and again. */
typedef struct reader {
  const char *base, *cells;
  size_t bytes, list_bytes;
  const uint8_t *candidates;
  const uint64_t *bits;
  bool has_big;
  word_filter filter;
} reader;

/* May an address of the heap point into what is ecru?  Most are the start of an object that is not.
 */
static inline bool may_be_ecru(const reader *r, const char *value) {
  size_t offset = (size_t)(value - r->cells), index = offset >> ACRE_PAGE_SHIFT;
  if (offset >= r->list_bytes)
    return r->has_big;
  if (!r->candidates[index])
    return false;
  size_t bit = offset / CELL_MIN % PAGE_CELLS_MAX;
  return offset % CELL_MIN != 0 || !(r->bits[index * 2 * BITMAP_WORDS + bit / 64] >> bit % 64 & 1);
}

static inline void read_word(heap *h, const reader *r, found_values *f, const char *word) {
  const char *value = held_address(r->base, r->bytes, word);
  if (!value || !may_be_ecru(r, value))
    return;
  __builtin_prefetch(&h->space.pages[(size_t)(value - r->base) >> ACRE_PAGE_SHIFT]);
  f->values[f->count++] = value;
  if (f->count >= FOUND_MAX)
    acre_gc_bitmap_mark_found(h, f);
}

/* Is one of FILTER_WORDS words an address? */
static inline __attribute__((always_inline)) bool
read_group(heap *h, const reader *r, found_values *f, const char *const *word) {
  if (!filter_has_address(r->filter, word))
    return false;
  for (size_t i = 0; i < FILTER_WORDS; i++)
    read_word(h, r, f, word[i]);
  return true;
}

static reader reader_of(const heap *h) {
  return (reader){.base = h->space.base,
                  .cells = h->space.cells_base,
                  .bytes = h->space.bytes,
                  .list_bytes = h->space.list_bytes,
                  .candidates = h->quarantine.candidates,
                  .bits = h->space.bits,
                  .has_big = h->cells.big.ecru_count != 0,
                  .filter = filter_of(h)};
}

__attribute__((no_sanitize("address"))) /* stacks and poisoned padding may be among what is read */
void acre_gc_quarantine_read(heap *h, found_values *f, const char *start, const char *end) {
  const reader r = reader_of(h);
  const char *const *word =
      (const char *const *)(((uintptr_t)start + sizeof(void *) - 1) & ~(sizeof(void *) - 1));
  const char *const *last = (const char *const *)((uintptr_t)end & ~(sizeof(void *) - 1));
  size_t groups = 0;
  for (; last - word >= FILTER_WORDS_MAX; word += FILTER_WORDS_MAX)
    if (filter_has_any_address(r.filter, word)) {
      groups += read_group(h, &r, f, word);
      groups += read_group(h, &r, f, word + FILTER_WORDS);
    }
  if (last - word >= FILTER_WORDS) {
    groups += read_group(h, &r, f, word);
    word += FILTER_WORDS;
  }
  groups += word < last;
  for (; word < last; word++)
    read_word(h, &r, f, *word);
  h->quarantine.found_groups += groups;
}

/* Cells side by side that are read together. */
typedef struct stretch {
  const char *from, *until;
} stretch;

static void read_stretch(heap *h, const stretch *s, const char *start, const char *end,
                         found_values *f) {
  const char *from = s->from > start ? s->from : start, *until = s->until < end ? s->until : end;
  if (from < until)
    acre_gc_quarantine_read(h, f, from, until);
}

/* How much of a cell of size bytes is to be read, from its start: 0 of one whose object has no
 * pointers. */
static size_t read_size(const char *start, size_t size) {
  uint64_t info = *(const uint64_t *)start;
  size_t padding = info >> INFO_PADDING_SHIFT & INFO_PADDING_MASK;
  if (acre_site_has_no_pointers((const acre_site *)(uintptr_t)(info & INFO_SITE_MASK)))
    return 0;
  return padding < PASSED_PADDING ? size : size - padding;
}

void acre_gc_quarantine_read_cells(heap *h, uint32_t index, const char *start, const char *end,
                                   found_values *f) {
  const cell_page *p = &h->space.pages[index];
  const char *first = page_address(h, index) + h->cell_origin;
  bool reads_headers = p->cell_size > READ_WHOLE_MAX;
  stretch s = {first, first};
  for (size_t word = 0; word < BITMAP_WORDS; word++)
    for (uint64_t live = page_now(h, index)[word]; live; live &= live - 1) {
      size_t bit = word * 64 + (size_t)__builtin_ctzl(live);
      const char *at = first + bitmap_offset(bit * CELL_MIN, p->cell_size, p->reciprocal);
      size_t size = reads_headers ? read_size(at, p->cell_size) : p->cell_size;
      if (size == 0)
        continue;
      if (at != s.until) {
        read_stretch(h, &s, start, end, f);
        s.from = at;
      }
      s.until = at + size;
    }
  read_stretch(h, &s, start, end, f);
}

/* -- Releasing --------------------------------------------------------------------------------- */

/* Objects are alive no more.  The sizes of those in cells are in their headers, which are not read:
 * of each byte of cells as much counts as useful as of all cells with what is alive. */
static void count_released(heap *h, bool is_big, size_t objects, size_t useful, size_t bytes) {
  tally gone = {objects, is_big ? objects : 0, useful, bytes};
  h->account.alive_less_made = tally_plus(h->account.alive_less_made, tally_minus(gone));
}

/* Big objects count as full, so that what is counted off the cells is never theirs. */
static double useful_part(const heap *h) {
  tally alive = heap_alive(h);
  size_t big = (h->cells.big_used_pages + h->cells.big_ecru_pages) << ACRE_PAGE_SHIFT;
  return alive.useful > big && alive.cells > big
             ? (double)(alive.useful - big) / (double)(alive.cells - big)
             : 0;
}

static void poison(heap *h, uint32_t index, size_t word, uint64_t dead) {
  const cell_page *p = &h->space.pages[index];
  char *first = page_address(h, index) + h->cell_origin;
  for (; dead && (h->config.poisons || h->is_checked); dead &= dead - 1) {
    size_t bit = word * 64 + (size_t)__builtin_ctzl(dead);
    char *at = first + bitmap_offset(bit * CELL_MIN, p->cell_size, p->reciprocal);
    if (h->config.poisons)
      memset(at + h->header_size, DEAD_BYTE, p->cell_size - h->header_size);
    acre_gc_cell_forbid(h, at, p->cell_size);
  }
}

/* The list that a page is in, which is not current. */
static page_list *list_of(heap *h, uint32_t index) {
  cell_class *class = &h->cells.classes[h->space.pages[index].class];
  uint64_t white = 0;
  for (size_t word = 0; word < BITMAP_WORDS; word++)
    white |= class->starts[word] & ~(page_now(h, index)[word] | freed_of(h, index, word));
  return white                                          ? &class->used
         : h->space.pages[index].marked == class->cells ? &class->full
                                                        : &class->waiting;
}

/* Without an object a page may serve another class. */
static void settle_page(heap *h, uint32_t index, page_list *from) {
  cell_page *p = &h->space.pages[index];
  cell_class *class = &h->cells.classes[p->class];
  page_list *to = p->marked ? &class->used : &class->free;
  if (to != from) {
    acre_gc_list_remove(h, from, index);
    acre_gc_list_push(h, to, index);
  }
  if (p->marked)
    return;
  p->epoch = 0;
  h->cells.free_classes[p->class / 64] |= (uint64_t)1 << p->class % 64;
}

static void release_page(heap *h, uint32_t index, double useful) {
  cell_page *p = &h->space.pages[index];
  h->quarantine.candidates[index] = false;
  if (h->cells.classes[p->class].current == index)
    acre_gc_bitmap_retire(h, p->class);
  page_list *from = list_of(h, index);
  size_t count = 0;
  for (size_t word = 0; word < BITMAP_WORDS; word++) {
    uint64_t dead = freed_of(h, index, word) & ~page_now(h, index)[word];
    poison(h, index, word, dead);
    if (dead)
      __atomic_fetch_and(&page_before(h, index)[word], ~dead, __ATOMIC_RELAXED);
    count += count_ones(dead);
  }
  if (!count)
    return;
  ring *r = ring_at(h, 0, p->class);
  r->ecru_count -= count;
  r->white_count += count;
  size_t bytes = count * r->cell_size;
  count_released(h, false, count, (size_t)((double)bytes * useful), bytes);
  settle_page(h, index, from);
}

static void release_big(heap *h, uint32_t first) {
  cell_page *p = &h->space.pages[first];
  size_t bytes = (size_t)p->count << ACRE_PAGE_SHIFT;
  ring_unlink_ecru(&h->cells.big, first);
  ring_add_white(&h->cells.big, first, first, 1);
  h->cells.big_ecru_pages -= p->count;
  h->cells.big_dead_pages += p->count;
  h->cells.big_ecru_work -= big_work(p);
  count_released(h, true, 1, p->size, bytes);
  if (h->config.poisons && !p->is_returned)
    memset(page_address(h, first), DEAD_BYTE, p->size);
  if (h->is_checked)
    acre_sanitizer_forbid(page_address(h, first), bytes);
  p->epoch = 0; /* white */
}

bool acre_gc_quarantine_release(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_LAST);
  heap_quarantine *q = &h->quarantine;
  double useful = useful_part(h);
  for (; h->cells.big.ecru_count && b->words; budget_use(b, CHANGED_WORDS))
    release_big(h, h->cells.big.ecru);
  for (; q->page < h->space.list_frontier && b->words; q->page++) {
    if (q->page % LOOKED_AT_ONCE == 0)
      budget_use(b, 1);
    if (q->candidates[q->page]) {
      release_page(h, q->page, useful);
      budget_use(b, CHANGED_WORDS);
    }
  }
  return !h->cells.big.ecru_count && q->page >= h->space.list_frontier;
}
