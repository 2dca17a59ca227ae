/* SPDX-License-Identifier: MIT */
/* mark_bitmap.c - marking cells without links: see bitmap.h.
 *
 * Grey cells are scanned page by page, so that what pages have in common, and headers that lie side
 * by side, are read once. Pages wait first in, first out: the longer a page waits, the more of its
 * cells are grey when its turn comes.
 *
 * A list whose cells each lie on another page would then cost a page for each cell.
 * Where the heap is small enough for a cache of the processor, what a scan greys is scanned next,
 * last in, first out, as long as that is little (heap->cycle.grey_cells).
 *
 * Half of a cell counts as marked when it becomes grey, half when it is scanned.  Greying is the
 * larger part of the time where an array refers to cells all over the heap, scanning where cells
 * have no pointers: increments that counted one of the two would take as long as their other bounds
 * allow while there is only work of the other kind.
 */
#include <string.h>

#include "gc/cycle/mark.h"
#include "gc/cycle/mark_bitmap.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/rescan.h"
#include "gc/cycle/thread_cache.h"
#include "gc/cycle/word_filter.h"
#include "gc/heap/bitmap.h"
#include "gc/heap/format.h"
#include "gc/heap/space.h"
#include "platform/check.h"
#include "platform/sanitizer.h"

#define WORDS_AT_ONCE 2
/* Where a page has so few grey cells, and the heap no more pages than that, what they lead to is
 * scanned next; until that is so many cells. */
#define FEW_CELLS 2
#define DEEP_PAGES 2048
#define MANY_CELLS 12
/* What a cell takes besides its pointers, in slots. */
#define CELL_WORDS 2

/* -- Greying ----------------------------------------------------------------------------------- */

/* The cell at start, a distance from the first one of the page, is grey.  In a heap with a
 * quarantine nothing is scanned. */
static __attribute__((noinline)) void queue_page(heap *h, cell_page *p, uint32_t index,
                                                 size_t start) {
  if (h->quarantine.is_on) {
    acre_gc_quarantine_found(h, index, start);
    return;
  }
  if (h->cycle.grey_first)
    h->space.pages[h->cycle.grey_last].next_grey = index;
  else
    h->cycle.grey_first = index;
  h->cycle.grey_last = index;
  p->next_grey = 0;
  p->is_grey = true;
}

/* A cell on a page that is not up to date is to be marked.  If it was allocated when the collection
   started, true: the page is brought up to date. */
static __attribute__((noinline)) bool touch(heap *h, const cell_page *p, uint32_t index,
                                            uint64_t now, uint64_t bit) {
  if (p->kind != PAGE_CELLS || p->epoch + 1 != h->cycle.epoch || !(now & bit))
    return false;
  acre_gc_page_touch_slowly(h, index);
  return true;
}

static __attribute__((noinline)) void mark_freed(heap *h, size_t offset) {
  cell c;
  if (find_cell(h, h->space.cells_base + offset, &c))
    acre_gc_mark_freed(h, &c);
}

/* What a heap's marking reads again and again. */
typedef struct marker {
  heap *heap;
  cell_page *pages;
  uint64_t *bits;
  uint64_t epoch;
  char *base;
  size_t greyed;     /* bytes */
  size_t cell_count; /* of heap->cycle.grey_cells */
} marker;

static inline marker marker_of(heap *h) {
  return (marker){h, h->space.pages,          h->space.bits, h->cycle.epoch, h->space.base,
                  0, h->cycle.grey_cell_count};
}

/* The cell at offset (< h->space.list_bytes) from h->space.cells_base becomes grey.  False if it is
   not in a page of cells.  Half of the values lead to something new, so what is done only then is
   not jumped over.  keeps_cells: there is room in heap->cycle.grey_cells. */
static inline __attribute__((always_inline)) bool mark_bit(marker *m, size_t offset,
                                                           bool keeps_cells) {
  size_t index = offset >> ACRE_PAGE_SHIFT;
  cell_page *p = &m->pages[index];
  size_t start = (size_t)divide_offset(offset & (ACRE_PAGE_SIZE - 1), p->reciprocal) * p->cell_size;
  uint64_t bit = (uint64_t)1 << start / CELL_MIN % 64,
           *now = m->bits + index * 2 * BITMAP_WORDS + start / CELL_MIN / 64;
  if (__builtin_expect(p->epoch != m->epoch, 0) && !touch(m->heap, p, (uint32_t)index, *now, bit))
    return p->kind == PAGE_CELLS; /* else perhaps the first bytes of a big object */
  uint64_t marked = *now, ecru = now[BITMAP_WORDS] & ~marked & bit;
  bool is_new = ecru != 0;
  size_t all_if_new = -(size_t)is_new;
  *now = marked | ecru;
  m->greyed += p->cell_size & all_if_new;
  p->marked = (uint16_t)(p->marked + is_new);
  ACRE_ASSERT(p->marked <= p->cells || index == m->heap->cells.classes[p->class].current);
  __builtin_prefetch(m->base + (offset & all_if_new)); /* near the header, if not at it */
  if (__builtin_expect(is_new & (p->marked == p->cells), 0))
    acre_gc_bitmap_filled(m->heap, (uint32_t)index);
  if (keeps_cells) {
    m->heap->cycle.grey_cells[m->cell_count] = (index << ACRE_PAGE_SHIFT) + start;
    m->cell_count += is_new;
  } else if (__builtin_expect(is_new > p->is_grey, 0)) {
    queue_page(m->heap, p, (uint32_t)index, start);
  }
  if (__builtin_expect(m->heap->cells.has_freed, 0) && is_new)
    mark_freed(m->heap, offset);
  return true;
}

bool acre_gc_bitmap_mark(heap *h, const void *value) {
  size_t offset = (size_t)((const char *)value - h->space.cells_base);
  marker m = marker_of(h);
  bool is_cell = offset < h->space.list_bytes && mark_bit(&m, offset, false);
  h->pace.cycle_marked += m.greyed / 2;
  return is_cell;
}

static inline __attribute__((always_inline)) void mark_found(heap *h, found_values *f,
                                                             bool keeps_cells) {
  marker m = marker_of(h);
  const char *cells = h->space.cells_base;
  size_t list_bytes = h->space.list_bytes;
  for (const void **value = f->values, **end = f->values + f->count; value < end; value++) {
    size_t offset = (size_t)((const char *)*value - cells);
    if (offset < list_bytes ? !mark_bit(&m, offset, keeps_cells)
                            : (size_t)((const char *)*value - m.base) < h->space.bytes &&
                                  !is_in_marked_big(h, *value))
      acre_gc_mark_linked(h, *value);
    *value = NULL;
  }
  h->pace.cycle_marked += m.greyed / 2;
  h->cycle.grey_cell_count = m.cell_count;
  f->count = 0;
}

/* Not inlined: what is found is to leave no words on the stack that a later collection would find.
 */
__attribute__((noinline)) void acre_gc_bitmap_mark_found(heap *h, found_values *f) {
  if (h->is_checked) /* words that were never set may look like addresses */
    acre_sanitizer_define(f->values, f->count * sizeof *f->values);
  if (h->cycle.keeps_grey_cells && h->cycle.grey_cell_count + f->count <= GREY_CELLS)
    mark_found(h, f, true);
  else
    mark_found(h, f, false);
}

static inline void find_address(const heap *h, found_values *f, const char *value) {
  size_t offset = (size_t)(value - h->space.base);
  __builtin_prefetch(&h->space.pages[offset >> ACRE_PAGE_SHIFT]);
  __builtin_prefetch(page_now(h, (uint32_t)(offset >> ACRE_PAGE_SHIFT)));
  f->values[f->count++] = value;
}

static inline void find_value(const heap *h, found_values *f, const void *word) {
  const char *value = held_address(h->space.base, h->space.bytes, word);
  if (value)
    find_address(h, f, value);
}

/* Returns where it ended: at end, or where f has no room for what is found next. */
__attribute__((no_sanitize("address"))) /* stacks and poisoned padding may be in a range of roots */
static void *const *
find_values(const heap *h, found_values *f, void *const *word, void *const *end) {
  const word_filter filter = filter_of(h);
  for (; end - word >= FILTER_WORDS; word += FILTER_WORDS) {
    if (!filter_has_address(filter, (const char *const *)word))
      continue;
    if (f->count > FOUND_MAX - FILTER_WORDS)
      return word;
    for (size_t i = 0; i < FILTER_WORDS; i++)
      find_value(h, f, word[i]);
  }
  for (; word < end && f->count < FOUND_MAX; word++)
    find_value(h, f, *word);
  return word;
}

size_t acre_gc_bitmap_mark_words(heap *h, found_values *f, const char *start, const char *end) {
  if (h->quarantine.is_on) {
    acre_gc_quarantine_read(h, f, start, end);
    return 0;
  }
  size_t found = -f->count;
  void *const *word =
      (void *const *)(((uintptr_t)start + sizeof(void *) - 1) & ~(sizeof(void *) - 1));
  void *const *last = (void *const *)((uintptr_t)end & ~(sizeof(void *) - 1));
  while (word < last) {
    word = find_values(h, f, word, last);
    if (word == last)
      break;
    found += f->count;
    acre_gc_bitmap_mark_found(h, f);
  }
  return found + f->count;
}

/* -- Again ------------------------------------------------------------------------------------- */

/* Is it the start of an object in a cell that is marked?  False if that is not seen at once.  Bits
   of a page that is up to date are set only where marked cells start; and a page that was last so
   256 collections ago holds nothing that is ecru.  Needs cells that all start where a bit does. */
static inline bool is_marked_start(const heap *h, const void *value) {
  size_t offset = (size_t)((const char *)value - h->space.cells_base),
         index = offset >> ACRE_PAGE_SHIFT, bit = offset / CELL_MIN % PAGE_CELLS_MAX;
  return offset < h->space.list_bytes && offset % CELL_MIN == 0 &&
         h->space.page_epochs[index] == (uint8_t)h->cycle.epoch &&
         (page_now(h, (uint32_t)index)[bit / 64] >> bit % 64 & 1);
}

void acre_gc_bitmap_mark_again(heap *h, found_values *f, const char *start, const char *end) {
  if (!h->cell_origin || h->quarantine.is_on) {
    acre_gc_bitmap_mark_words(h, f, start, end);
    return;
  }
  void *const *word =
      (void *const *)(((uintptr_t)start + sizeof(void *) - 1) & ~(sizeof(void *) - 1));
  void *const *last = (void *const *)((uintptr_t)end & ~(sizeof(void *) - 1));
  for (; word < last; word++) {
    const char *value = held_address(h->space.base, h->space.bytes, *word);
    if (!value || is_marked_start(h, value))
      continue;
    find_address(h, f, value);
    if (f->count == FOUND_MAX)
      acre_gc_bitmap_mark_found(h, f);
  }
}

/* -- Scanning ---------------------------------------------------------------------------------- */

/* What is scanned of a page without looking at the heap: the budget, and what the cells scanned
 * come to. */
typedef struct batch {
  budget left;
  size_t scanned, useful;
  found_values found;
} batch;

#define NO_INFO (~(uint64_t)0)

/* What a header says of an object in a cell of cell_size: size bytes, with slot_count pointers; of
   those, count from offset on, the rest as type says if it is not null. */
typedef struct shape {
  uint64_t info;
  uint32_t cell_size;
  size_t size, offset, count, stride, slot_count;
  const acre_type *type;
} shape;

/* Shapes that were read last, by a hash of the header.  none is no header's. */
#define SHAPES 32
typedef struct shape_table {
  shape shapes[SHAPES], none;
} shape_table;

static inline shape *find_shape(shape_table *t, uint64_t info) {
  return &t->shapes[info * UINT64_C(0x9e3779b97f4a7c15) >> 59];
}

/* False if it takes more to scan objects of the type than is done here. */
static bool read_type(shape *s, const acre_type *t) {
  if (t->slot_count == 0)
    return true;
  if (t->flexible_stride || t->size == 0 || t->size > s->size || t->slot_count > AT_ONCE_SLOTS)
    return false;
  size_t elements = (s->size + t->size - 1) / t->size, each = 0;
  for (uint32_t i = 0; i < t->slot_count; i++)
    each += t->slots[i].count;
  if (each * elements > AT_ONCE_SLOTS)
    return false;
  s->offset = t->slots->offset;
  s->count = t->slots->count;
  s->stride = t->slots->stride;
  s->slot_count = each * elements;
  s->type = elements > 1 || t->slot_count > 1 ? t : NULL;
  return true;
}

/* False if it takes more to scan such objects than is done here. */
static __attribute__((noinline)) bool read_shape(const heap *h, shape *s, uint64_t info,
                                                 uint32_t cell_size) {
  const acre_site *site = (const acre_site *)(uintptr_t)(info & INFO_SITE_MASK);
  size_t size = cell_size - h->header_size - (info >> INFO_PADDING_SHIFT & INFO_PADDING_MASK);
  *s = (shape){.info = NO_INFO, .cell_size = cell_size, .size = size, .stride = sizeof(void *)};
  if (info >> INFO_FLAGS_SHIFT || site == &acre_gc_cache_site)
    return false;
  if (!site || !site->type)
    s->count = s->slot_count = size / sizeof(void *);
  else if (!read_type(s, site->type))
    return false;
  if (s->slot_count > AT_ONCE_SLOTS)
    return false;
  s->info = info;
  return true;
}

/* Leaves the cell at start to heap->cycle.scan.  Returns the object's size. */
static __attribute__((noinline)) size_t start_scan(heap *h, char *start, size_t cell_size) {
  cell c;
  uint32_t index = page_index(h, start);
  fill_cell(h, &c, index, (size_t)(start - page_address(h, index)), cell_size,
            h->space.pages[index].class);
  object_view o = cell_object(h, &c);
  acre_gc_mark_start_scan(h, &o);
  return o.size;
}

static inline void visit(const heap *h, found_values *f, const char *at) {
  void *value;
  memcpy(&value, at, sizeof value);
  find_value(h, f, value);
}

/* All pointers of an object but the first run of the first element. */
static __attribute__((noinline)) void visit_rest(const heap *h, found_values *f, const char *object,
                                                 const shape *s) {
  const acre_type *t = s->type;
  for (size_t base = 0, run = 1; base < s->size; base += t->size, run = 0)
    for (; run < t->slot_count; run++) {
      const acre_slot *slots = &t->slots[run];
      size_t at = base + slots->offset;
      for (uint32_t i = 0; i < slots->count && at + sizeof(void *) <= s->size;
           i++, at += slots->stride)
        visit(h, f, object + at);
    }
}

/* Scans the cell at start, which is black from now on.  False if that takes more than is done here.
 *last is the shape of the one before it on the same page, or none. */
static inline __attribute__((always_inline)) bool
scan_cell(heap *h, char *start, uint32_t cell_size, shape_table *shapes, shape **last, batch *b) {
  uint64_t info = *(uint64_t *)start;
  shape *s = *last;
  b->scanned++;
  if (info != s->info) {
    *last = s = find_shape(shapes, info);
    if ((info != s->info || cell_size != s->cell_size) && !read_shape(h, s, info, cell_size)) {
      b->useful += start_scan(h, start, cell_size);
      return false;
    }
  }
  if (s->slot_count + CELL_WORDS > b->left.words) {
    b->useful += start_scan(h, start, cell_size);
    return false;
  }
  b->useful += s->size;
  if (__builtin_expect(h->cells.has_freed, 0)) {
    const acre_site *site = header_site(h, start);
    h->cycle.holder = start + h->header_size;
    h->cycle.scan.type = site ? site->type : NULL;
  }
  const char *object = start + sizeof(uint64_t), *at = object + s->offset;
  size_t before = b->found.count;
  for (size_t i = s->count; i > 0; i--, at += s->stride)
    visit(h, &b->found, at);
  if (s->type)
    visit_rest(h, &b->found, object, s);
  b->left.words -= CELL_WORDS + slots_of(s->slot_count, b->found.count - before);
  if (b->found.count >= FOUND_MAX || h->cells.has_freed) /* a report names the holder */
    acre_gc_bitmap_mark_found(h, &b->found);
  budget_use_touched(h, &b->left);
  return true;
}

static void count_scanned(heap *h, size_t class, size_t cells) {
  size_t bytes = cells * h->cells.classes[class].size;
  h->account.marked_less_made =
      tally_plus(h->account.marked_less_made, (tally){cells, 0, 0, bytes});
  h->pace.cycle_marked += bytes / 2;
  h->account.stats.marked_objects += cells;
  h->account.stats.marked_bytes += bytes;
  ring_at(h, 0, class)->ecru_count -= cells;
}

/* What was found is marked, and what is left of the budget is the caller's again. */
static void end_batch(heap *h, batch *b, budget *left) {
  acre_gc_bitmap_mark_found(h, &b->found);
  budget_use_touched(h, &b->left);
  h->cycle.holder = NULL;
  h->account.marked_less_made.useful += b->useful;
  left->objects -= b->scanned;
  left->words = b->left.words;
}

/* Fetches the grey cells of a word: of each, what lies within 32 to 48 bytes, which is the header
 * and the first pointers. */
static inline void prefetch_word(const char *base, uint64_t grey) {
  uint64_t lines = grey | grey << 1 | grey << 2;
  lines |= lines >> 1;
  lines |= lines >> 2;
  for (lines &= UINT64_C(0x1111111111111111); lines; lines &= lines - 1)
    __builtin_prefetch(base + (unsigned)__builtin_ctzl(lines) * CELL_MIN);
}

/* Reading cells is most of the time that marking takes: those of one word are fetched while the
   word before is scanned, and a page's first ones two pages before, because a page may have few;
   its bitmaps, three. */
static void prefetch_page(const heap *h, uint32_t index) {
  const uint64_t *now = page_now(h, index), *before = page_before(h, index);
  for (size_t word = 0, left = WORDS_AT_ONCE; word < BITMAP_WORDS && left > 0; word++)
    if (now[word] & before[word]) {
      prefetch_word(page_address(h, index) + word * 64 * CELL_MIN, now[word] & before[word]);
      left--;
    }
}

static void prefetch_after(const heap *h, uint32_t next) {
  uint32_t second = h->space.pages[next].next_grey,
           third = second ? h->space.pages[second].next_grey : 0;
  if (second)
    prefetch_page(h, second);
  if (third) {
    __builtin_prefetch(&h->space.pages[third]);
    __builtin_prefetch(page_now(h, third));
    __builtin_prefetch(page_before(h, third));
  }
}

static inline bool page_has_grey(const heap *h, uint32_t index) {
  const uint64_t *now = page_now(h, index), *before = page_before(h, index);
  uint64_t grey = 0;
  for (size_t word = 0; word < BITMAP_WORDS; word++)
    grey |= now[word] & before[word];
  return grey != 0;
}

/* The grey cells of a page, from where the last time ended.  False if it did not come to the end of
 * the page. */
static inline bool scan_page(heap *h, uint32_t index, shape_table *shapes, batch *b) {
  const cell_page *p = &h->space.pages[index];
  uint32_t size = p->cell_size, reciprocal = p->reciprocal;
  shape *last = &shapes->none;
  const uint64_t *now = page_now(h, index);
  uint64_t *before = page_before(h, index);
  char *base = page_address(h, index) + h->cell_origin;
  if (h->cycle.grey_word == 0 && p->next_grey)
    prefetch_after(h, p->next_grey);
  for (size_t word = h->cycle.grey_word; word < BITMAP_WORDS; word++) {
    size_t offset = word * 64 * CELL_MIN;
    if (word + 1 < BITMAP_WORDS)
      prefetch_word(base + offset + 64 * CELL_MIN, now[word + 1] & before[word + 1]);
    for (uint64_t grey = now[word] & before[word]; grey; grey &= grey - 1) {
      if (b->scanned == b->left.objects || b->left.words == 0) {
        h->cycle.grey_word = (uint32_t)word;
        return false;
      }
      before[word] ^= grey & -grey;
      char *start = base + bitmap_offset(offset + (unsigned)__builtin_ctzl(grey) * CELL_MIN, size,
                                         reciprocal);
      if (!scan_cell(h, start, size, shapes, &last, b)) {
        h->cycle.grey_word = (uint32_t)word;
        return false;
      }
    }
  }
  h->cycle.grey_word = 0;
  return true;
}

/* The first page of the queue leaves it. */
static void finish_page(heap *h, uint32_t index) {
  h->cycle.grey_first = h->space.pages[index].next_grey;
  h->space.pages[index].is_grey = false;
}

/* How many cells of a page are scanned until as much is marked as should be. */
static inline size_t share_of(const heap *h, const budget *left, uint32_t cell_size) {
  uint64_t bytes = left->marked_until - h->pace.cycle_marked;
  return bytes < ACRE_PAGE_SIZE && bytes / cell_size < left->objects ? bytes / cell_size + 1
                                                                     : left->objects;
}

static void scan_first_page(heap *h, shape_table *shapes, batch *b, budget *left) {
  uint32_t index = h->cycle.grey_first;
  if (h->watch.is_protected && !is_watched(h, index)) {
    acre_gc_protect_grey(h, left);
    return;
  }
  size_t class = h->space.pages[index].class;
  b->left = (budget){left->words, share_of(h, left, h->cells.classes[class].size), 0};
  b->scanned = b->useful = 0;
  bool is_done = scan_page(h, index, shapes, b);
  count_scanned(h, class, b->scanned);
  end_batch(h, b, left);
  /* What was scanned may have greyed cells of the same page. */
  if (is_done && !page_has_grey(h, index))
    finish_page(h, index);
}

/* One of heap->cycle.grey_cells is scanned with its page. */
static void queue_page_of(heap *h, size_t cell_at) {
  uint32_t index = (uint32_t)(cell_at >> ACRE_PAGE_SHIFT);
  if (!h->space.pages[index].is_grey)
    queue_page(h, &h->space.pages[index], index, 0);
}

/* The next of heap->cycle.grey_cells that was not scanned with its page; false if there is none. */
static inline bool take_cell(heap *h, size_t *at) {
  while (h->cycle.grey_cell_count) {
    *at = h->cycle.grey_cells[--h->cycle.grey_cell_count];
    size_t number = *at / CELL_MIN;
    uint32_t index = (uint32_t)(*at >> ACRE_PAGE_SHIFT);
    uint64_t bit = (uint64_t)1 << number % 64,
             *before = page_before(h, index) + number / 64 % BITMAP_WORDS;
    if (h->watch.is_protected && !is_watched(h, index)) {
      queue_page_of(h, *at);
    } else if (*before & bit) {
      *before ^= bit;
      return true;
    }
  }
  return false;
}

static void scan_cells(heap *h, shape_table *shapes, batch *b, budget *left) {
  uint32_t scanned[CLASS_MAX] = {0};
  size_t at, bytes = 0;
  bool is_simple = true;
  b->left = *left;
  b->scanned = b->useful = 0;
  while (is_simple && h->cycle.grey_cell_count < MANY_CELLS && b->scanned < left->objects &&
         b->left.words && h->pace.cycle_marked + bytes / 2 <= left->marked_until) {
    if (!take_cell(h, &at)) {
      if (!b->found.count)
        break;
      acre_gc_bitmap_mark_found(h, &b->found);
      continue;
    }
    const cell_page *p = &h->space.pages[at >> ACRE_PAGE_SHIFT];
    shape *last = &shapes->none;
    scanned[p->class]++;
    bytes += p->cell_size;
    is_simple = scan_cell(h, h->space.base + h->cell_origin + at, p->cell_size, shapes, &last, b);
  }
  for (size_t i = 0; i < h->cells.class_count; i++)
    if (scanned[i])
      count_scanned(h, i, scanned[i]);
  end_batch(h, b, left);
}

void acre_gc_bitmap_scan(heap *h, budget *left) {
  ACRE_ASSERT(!h->cycle.scan.object && h->cycle.grey_cell_count == 0);
  shape_table shapes;
  batch b;
  b.scanned = b.found.count = 0;
  shapes.none.info = NO_INFO;
  for (size_t i = 0; i < SHAPES; i++)
    shapes.shapes[i].info = NO_INFO;
  while (h->cycle.grey_first && !h->cycle.scan.object && left->words && left->objects &&
         h->pace.cycle_marked <= left->marked_until) {
    scan_first_page(h, &shapes, &b, left);
    h->cycle.keeps_grey_cells = b.scanned <= FEW_CELLS && h->space.mapped_pages <= DEEP_PAGES;
    if (h->cycle.grey_cell_count && !h->cycle.scan.object)
      scan_cells(h, &shapes, &b, left);
    while (h->cycle.grey_cell_count)
      queue_page_of(h, h->cycle.grey_cells[--h->cycle.grey_cell_count]);
  }
  h->cycle.keeps_grey_cells = false;
}
