/* SPDX-License-Identifier: MIT */
/* format.c - see format.h.
 *
 * Invariant: a page of cells that is tracked is in one list of its class: `used` if its epoch is
 * the heap's; while a collection runs, `ecru` if it is one less; else `free`.  The cells of a free
 * page are all white. Without links `used` and `ecru` are more than one list each: bitmap.h.
 */
#include "gc/heap/format.h"

#include <string.h>

#include "gc/heap/bitmap.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "platform/check.h"
#include "platform/sanitizer.h"

static bool is_tracked(const heap *h, const cell_page *p) {
  return h->tracks_pages && p->kind == PAGE_CELLS && h->cells.classes[p->class].page_count == 1;
}

/* All its cells are white, by its epoch. */
static inline bool is_free(const heap *h, const cell_page *p) {
  return p->kind == PAGE_CELLS && p->epoch + is_collecting(h) < h->cycle.epoch;
}

static void free_remove(heap *h, uint32_t index) {
  uint16_t class = h->space.pages[index].class;
  acre_gc_list_remove(h, &h->cells.classes[class].free, index);
  if (!h->cells.classes[class].free.count)
    h->cells.free_classes[class / 64] &= ~((uint64_t)1 << class % 64);
}

static void free_add(heap *h, uint32_t index) {
  uint16_t class = h->space.pages[index].class;
  acre_gc_list_push(h, &h->cells.classes[class].free, index);
  h->cells.free_classes[class / 64] |= (uint64_t)1 << class % 64;
}

void acre_gc_page_touch_slowly(heap *h, uint32_t index) {
  cell_page *p = &h->space.pages[index];
  size_t bytes = BITMAP_WORDS * sizeof(uint64_t);
  ACRE_ASSERT(p->epoch < h->cycle.epoch);
  bool was_used = is_collecting(h) && p->epoch + 1 == h->cycle.epoch;
  if (was_used)
    memcpy(page_before(h, index), page_now(h, index), bytes);
  else
    memset(page_before(h, index), 0, bytes);
  memset(page_now(h, index), 0, bytes);
  if (is_tracked(h, p)) {
    cell_class *class = &h->cells.classes[p->class];
    if (!was_used)
      free_remove(h, index);
    if (h->uses_bitmaps)
      acre_gc_bitmap_touched(h, index, was_used);
    else if (was_used)
      acre_gc_list_remove(h, &class->ecru, index);
    if (!h->uses_bitmaps)
      acre_gc_list_push(h, &class->used, index);
  }
  p->epoch = h->cycle.epoch;
  if (h->uses_bitmaps && is_list_page(h, index)) {
    h->space.block_epochs[index / BLOCK_PAGES] = (uint8_t)h->cycle.epoch;
    h->space.page_epochs[index] = (uint8_t)h->cycle.epoch;
  }
  h->cycle.pages_touched++;
}

void acre_gc_cell_forbid(const heap *h, char *start, size_t size) {
  /* The packed format keeps its padding in the last bytes; checkers work in units of 8. */
  size_t kept = h->is_packed ? 8 : 0;
  if (h->is_checked && size > h->header_size + kept)
    acre_sanitizer_forbid(start + h->header_size, size - h->header_size - kept);
}

/* Cells are taken from the end of the chain: it is the one with the lowest address. */
static void link_cells(ring *r, const char *start, const cell_class *class) {
  acre_ref lowest = (acre_ref)((size_t)(start - r->base) >> UNIT_SHIFT),
           step = class->size >> UNIT_SHIFT;
  if (r->format == LINKS_HALF) {
    /* The outer links of both ends are wrong until the chain is added. */
    char *at = ring_cell(r, lowest);
    for (uint32_t i = 0, ref = lowest; i < class->cells; i++, ref += step, at += class->size) {
      ((uint32_t *)at)[0] = ref - step;
      ((uint32_t *)at)[1] = ref + step;
    }
  } else {
    for (uint32_t i = 1; i < class->cells; i++)
      ring_join(r, lowest + i * step, lowest + (i - 1) * step);
  }
  ring_add_white(r, lowest + (class->cells - 1) * step, lowest, class->cells);
  r->quick_page = NULL;
}

void acre_gc_page_carve(heap *h, uint32_t index, size_t number) {
  cell_class *class = &h->cells.classes[number];
  cell_page *p = &h->space.pages[index];
  ring *r = ring_at(h, segment_of(h, index), number);
  char *start = page_address(h, index);
  ACRE_ASSERT(is_list_page(h, index) && p->kind == PAGE_SPARE);
  *p = (cell_page){.kind = PAGE_CELLS,
                   .class = (uint16_t)number,
                   .reciprocal = class->reciprocal,
                   .count = class->page_count,
                   .cell_size = class->size,
                   .cells = class->cells,
                   .is_clean = h->uses_bitmaps && p->is_clean,
                   .may_be_protected = p->may_be_protected};
  for (uint32_t i = 1; i < class->page_count; i++) {
    h->space.pages[index + i].kind = PAGE_INSIDE;
    h->space.pages[index + i].count = i;
  }
  if (h->is_checked)
    acre_sanitizer_define(start, (size_t)class->page_count << ACRE_PAGE_SHIFT);
  if (h->uses_bitmaps) {
    r->count += class->cells;
    r->white_count += class->cells;
  } else {
    link_cells(r, start, class);
  }
  for (uint32_t i = 0; i < class->cells && h->is_checked; i++)
    acre_gc_cell_forbid(h, start + h->cell_origin + (size_t)i * class->size, class->size);
  class->segment = segment_of(h, index);
  class->page_total += class->page_count;
  if (is_tracked(h, p))
    free_add(h, index);
}

bool acre_gc_page_next(page_walk *walk, cell *c, bool *is_cell) {
  const heap *h = walk->heap;
  const cell_page *p = &h->space.pages[walk->index];
  const cell_class *class = &h->cells.classes[p->class];
  size_t offset = walk->offset, size;
  if (offset == ACRE_PAGE_SIZE)
    return false;
  if (p->is_mixed) {
    size = next_start(page_starts(h, walk->index), offset) - offset;
    *is_cell = size >= h->cells.classes[0].size;
  } else {
    size_t end = h->cell_origin + (size_t)class->cells * class->size;
    *is_cell = offset >= h->cell_origin && offset < end;
    size = *is_cell ? class->size : offset < end ? h->cell_origin : ACRE_PAGE_SIZE - offset;
  }
  fill_cell(h, c, walk->index, offset, size,
            *is_cell ? (p->is_mixed ? h->cells.class_of[size / 8] : p->class) : 0);
  walk->offset += size;
  return true;
}

static void unlink_cells(heap *h, uint32_t index) {
  page_walk walk = {h, index, 0};
  cell c;
  bool is_cell;
  while (acre_gc_page_next(&walk, &c, &is_cell))
    if (is_cell) {
      ring *r = cell_ring(h, &c);
      ring_remove_white(r, cell_ref(r, &c));
    }
}

void acre_gc_each_cell(const heap *h, void (*act)(const cell *c, void *context), void *context) {
  for (uint32_t index = 0; index < h->space.list_frontier; index++) {
    page_walk walk = {h, index, 0};
    cell c;
    bool is_cell;
    while (h->space.pages[index].kind == PAGE_CELLS && acre_gc_page_next(&walk, &c, &is_cell))
      if (is_cell)
        act(&c, context);
  }
}

static void each_of_ring(const heap *h, const ring *r, void (*act)(const cell *c, void *context),
                         void *context) {
  acre_ref ref = r->black;
  for (size_t i = r->count - r->white_count; i > 0; i--, ref = ring_next(r, ref)) {
    cell c = cell_at(h, r, ref);
    act(&c, context);
  }
}

struct object_walk {
  const heap *heap;
  void (*act)(const cell *c, void *context);
  void *context;
};

static void act_on_object(const cell *c, void *context) {
  const struct object_walk *walk = context;
  if (cell_colour(walk->heap, c) != COLOUR_WHITE)
    walk->act(c, walk->context);
}

void acre_gc_each_object(const heap *h, void (*act)(const cell *c, void *context), void *context) {
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    if (!h->uses_bitmaps)
      each_of_ring(h, &h->cells.rings[i], act, context);
  each_of_ring(h, &h->cells.big, act, context);
  if (h->uses_bitmaps)
    acre_gc_each_cell(h, act_on_object, &(struct object_walk){h, act, context});
}

void acre_gc_page_uncarve(heap *h, uint32_t index) {
  const cell_class *class = &h->cells.classes[h->space.pages[index].class];
  ring *r = ring_at(h, segment_of(h, index), h->space.pages[index].class);
  ACRE_ASSERT(is_free(h, &h->space.pages[index]));
  if (h->uses_bitmaps) {
    r->count -= class->cells;
    r->white_count -= class->cells;
  } else {
    unlink_cells(h, index);
  }
  free_remove(h, index);
  h->cells.classes[h->space.pages[index].class].page_total--;
  h->space.pages[index].kind = PAGE_SPARE;
  h->space.pages[index].is_mixed = h->space.pages[index].is_clean = false;
}

uint32_t acre_gc_page_migrate(heap *h) {
  /* The largest class first: its pages have the fewest cells to unlink. */
  for (size_t word = CLASS_MAX / 64; word-- > 0;)
    if (h->cells.free_classes[word]) {
      size_t class = word * 64 + 63 - (size_t)__builtin_clzl(h->cells.free_classes[word]);
      uint32_t index = h->cells.classes[class].free.first;
      acre_gc_page_uncarve(h, index);
      h->account.stats.migrations++;
      return index;
    }
  return 0;
}
