/* SPDX-License-Identifier: MIT */
/* fill.c - page filling: cells of one class in the gaps between objects of other sizes.
 *
 * A gap is a stretch of white cells and rests of a page in use.  Its white cells leave their rings,
 * and it is carved into cells of the class that is wanted (PF: as many as fit; PF2: one), what is
 * left into the largest classes that fit.  The page is mixed from then on: a bitmap says where its
 * cells start.
 */
#include <string.h>

#include "gc/cycle/allocate.h"
#include "gc/cycle/fill.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "gc/trace/event.h"
#include "platform/check.h"
#include "platform/sanitizer.h"

/* Pages looked at for a gap, while there are other ways to get memory. */
#define PAGES_TO_TRY 16

typedef struct gap {
  uint32_t index;
  size_t offset, size; /* size 0: none */
} gap;

/* The gap of a page that is best for need bytes: the smallest that fits. */
static gap best_gap(const heap *h, uint32_t index, size_t need) {
  page_walk walk = {h, index, 0};
  gap best = {index, 0, 0}, now = {index, 0, 0};
  cell c;
  bool is_cell, has_more;
  do {
    has_more = acre_gc_page_next(&walk, &c, &is_cell);
    bool is_free = has_more && (!is_cell || cell_colour(h, &c) == COLOUR_WHITE);
    if (is_free) {
      now.size = walk.offset - now.offset;
    } else {
      if (now.size >= need && (!best.size || now.size < best.size))
        best = now;
      now = (gap){index, walk.offset, 0};
    }
  } while (has_more);
  return best;
}

static bool has_room(const heap *h, uint32_t index, size_t need) {
  const cell_page *p = &h->space.pages[index];
  if (p->is_mixed)
    return true;
  size_t objects = 0;
  for (size_t i = 0; i < BITMAP_WORDS; i++)
    objects += count_ones(page_now(h, index)[i] | page_before(h, index)[i]);
  return ACRE_PAGE_SIZE - objects * h->cells.classes[p->class].size >= need;
}

/* The next class that has pages in use, from fill_class on; class_count if none has. */
static size_t next_used_class(heap *h) {
  for (size_t i = 0; i < h->cells.class_count; i++) {
    size_t class = (h->cells.fill_class + i) % h->cells.class_count;
    if (h->cells.classes[class].used.count && h->cells.classes[class].page_count == 1)
      return class;
  }
  return h->cells.class_count;
}

/* Looks at as many pages, the one looked at longest ago first. */
static gap find_gap(heap *h, size_t need, size_t pages) {
  gap best = {0, 0, 0};
  bool is_eager = h->config.fill == ACRE_HEAP_FILL_EAGER;
  for (; pages > 0 && !(is_eager && best.size); pages--) {
    size_t class = next_used_class(h);
    if (class == h->cells.class_count)
      break;
    page_list *used = &h->cells.classes[class].used;
    uint32_t index = used->last;
    acre_gc_list_remove(h, used, index);
    acre_gc_list_push(h, used, index);
    h->cells.fill_class = (uint32_t)((class + 1) % h->cells.class_count);
    gap found = has_room(h, index, need) ? best_gap(h, index, need) : (gap){0, 0, 0};
    if (found.size && (!best.size || found.size < best.size))
      best = found;
  }
  return best;
}

static void set_start(uint64_t *starts, size_t offset, bool is_start) {
  uint64_t bit = (uint64_t)1 << offset / 8 % 64;
  if (is_start)
    starts[offset / 8 / 64] |= bit;
  else
    starts[offset / 8 / 64] &= ~bit;
}

/* Takes the cells of the first size bytes of a gap, or somewhat more, out of their rings.  Returns
 * how much. */
static size_t clear_gap(heap *h, const gap *g, size_t size) {
  page_walk walk = {h, g->index, g->offset};
  cell c;
  bool is_cell;
  while (walk.offset < g->offset + size && acre_gc_page_next(&walk, &c, &is_cell)) {
    set_start(page_starts(h, g->index), (size_t)(c.start - page_address(h, g->index)), false);
    if (is_cell) {
      ring *r = cell_ring(h, &c);
      ring_remove_white(r, cell_ref(r, &c));
    }
  }
  return walk.offset - g->offset;
}

static void add_cell(heap *h, uint32_t index, size_t offset, size_t class) {
  ring *r = ring_at(h, segment_of(h, index), class);
  char *start = page_address(h, index) + offset;
  acre_ref ref = (acre_ref)((size_t)(start - r->base) >> UNIT_SHIFT);
  set_start(page_starts(h, index), offset, true);
  if (h->is_checked)
    acre_sanitizer_define(start, h->header_size);
  ring_add_white(r, ref, ref, 1);
  acre_gc_cell_forbid(h, start, h->cells.classes[class].size);
}

/* The largest class of at most size bytes; class_count if there is none. */
static size_t largest_within(const heap *h, size_t size) {
  size_t class = h->cells.class_count;
  for (size_t i = 0; i < h->cells.class_count && h->cells.classes[i].size <= size; i++)
    class = i;
  return class;
}

/* Carves [at, end) of a mixed page into the largest classes that fit. */
static void carve_rest(heap *h, uint32_t index, size_t at, size_t end) {
  for (size_t class; at < end; at += h->cells.classes[class].size) {
    class = largest_within(h, end - at);
    if (class == h->cells.class_count) {
      set_start(page_starts(h, index), at, true); /* ends the cell before */
      return;
    }
    add_cell(h, index, at, class);
  }
}

/* What the page's own cells leave at its end is carved too: on a mixed page a rest is smaller than
 * any cell. */
static void make_mixed(heap *h, uint32_t index) {
  if (h->space.pages[index].is_mixed)
    return;
  uint64_t *starts = page_starts(h, index);
  const cell_class *class = &h->cells.classes[h->space.pages[index].class];
  size_t end = (size_t)class->cells * class->size;
  memset(starts, 0, START_WORDS * sizeof *starts);
  for (size_t offset = 0; offset < end; offset += class->size)
    set_start(starts, offset, true);
  h->space.pages[index].is_mixed = true;
  carve_rest(h, index, end, ACRE_PAGE_SIZE);
}

static void carve_gap(heap *h, const gap *g, size_t size, size_t class) {
  size_t need = h->cells.classes[class].size, at = g->offset, end = g->offset + size;
  bool is_eager = h->config.fill == ACRE_HEAP_FILL_EAGER;
  char *start = page_address(h, g->index);
  if (h->is_checked)
    acre_sanitizer_define(start + at, size);
  do {
    add_cell(h, g->index, at, class);
    at += need;
  } while (is_eager && end - at >= need);
  carve_rest(h, g->index, at, end);
}

bool acre_gc_gap_fill(heap *h, size_t class, bool is_exhaustive) {
  ACRE_ASSERT(h->config.fill && !h->uses_bitmaps);
  size_t need = h->cells.classes[class].size, pages = PAGES_TO_TRY;
  if (h->cells.classes[class].page_count > 1)
    return false;
  if (is_exhaustive) {
    pages = 0;
    for (size_t i = 0; i < h->cells.class_count; i++)
      pages += h->cells.classes[i].used.count;
  }
  gap found = find_gap(h, need, pages);
  if (!found.size)
    return false;
  make_mixed(h, found.index);
  size_t size = clear_gap(h, &found, h->config.fill == ACRE_HEAP_FILL_EAGER ? found.size : need);
  carve_gap(h, &found, size, class);
  h->cells.classes[class].segment = segment_of(h, found.index);
  h->account.stats.gaps_filled++;
  event_send(h, ACRE_HEAP_EVENT_FILL, need);
  return true;
}
