/* SPDX-License-Identifier: MIT */
/* check.c - see check.h.  The structures: rings, cells, bitmaps, page lists, runs, totals. */
#include "gc/check/check.h"

#include <string.h>

#include "gc/check/check_marks.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "platform/os.h"

bool acre_gc_check_fails(check *k, const char *what, const void *where) {
  acre_os_print(2, "acre: heap \"%s\": check: %s at %p\n", acre_gc_heap_name(k->heap), what, where);
  return k->is_sound = false;
}

/* -- Rings ------------------------------------------------------------------------------------- */

/* Is there a cell of the ring's class at ref?  Without find_cell, which is under test. */
static bool read_cell(check *k, const ring *r, size_t class, acre_ref ref, cell *c) {
  const heap *h = k->heap;
  if (r == &h->cells.big) {
    *c = (cell){.start = page_address(h, ref), .page = ref, .is_big = true};
    return (ref >= h->space.list_pages && ref < h->space.total_pages &&
            h->space.pages[ref].kind == PAGE_BIG) ||
           acre_gc_check_fails(k, "a ring of big objects with something else", c->start);
  }
  char *start = ring_cell(r, ref);
  if (start < h->space.base || start >= page_address(h, h->space.list_frontier))
    return acre_gc_check_fails(k, "a link out of the list area", start);
  uint32_t index = page_index(h, start);
  const cell_page *p = &h->space.pages[index];
  size_t offset = (size_t)(start - page_address(h, index)), size = h->cells.classes[class].size;
  if (p->kind != PAGE_CELLS)
    return acre_gc_check_fails(k, "a cell on a page without cells", start);
  if (p->is_mixed) {
    const uint64_t *starts = page_starts(h, index);
    if (!bit_is_set(starts, (uint32_t)(offset / 8)) || next_start(starts, offset) - offset != size)
      return acre_gc_check_fails(k, "a cell that a mixed page does not have", start);
  } else if (p->class != class || offset % size || offset / size >= h->cells.classes[class].cells) {
    return acre_gc_check_fails(k, "a cell out of place", start);
  }
  *c = (cell){.start = start,
              .page = index,
              .bit = (uint32_t)(offset / 16),
              .size = h->cells.classes[class].page_count > 1 ? 0 : (uint32_t)size,
              .class = (uint16_t)class};
  return true;
}

/* The next count cells of a ring have colour seen; first is what its boundary names. */
static bool check_colour(check *k, const ring *r, size_t class, acre_ref *at, size_t count,
                         uint8_t seen, acre_ref first) {
  if (seen != SEEN_WHITE && first != *at)
    return acre_gc_check_fails(k, "a boundary that is not at its colour", r->base);
  for (; count > 0; count--) {
    cell c;
    if (*at == r->sentinel)
      return acre_gc_check_fails(k, "a ring with fewer cells than counted", r->base);
    if (!read_cell(k, r, class, *at, &c))
      return false;
    if (*check_seen(k, &c))
      return acre_gc_check_fails(k, "a cell that is twice on a ring", c.start);
    *check_seen(k, &c) = seen;
    acre_ref next = ring_next(r, *at);
    if (ring_previous(r, next) != *at)
      return acre_gc_check_fails(k, "links that disagree", c.start);
    *at = next;
  }
  return true;
}

/* Without links: the colours are in the bitmaps, and the counts must agree with them. */
static bool check_counts(check *k, const ring *r, size_t number) {
  const heap *h = k->heap;
  size_t seen[SEEN_ECRU + 1] = {0}, all = 0;
  for (uint32_t index = 0; index < h->space.list_frontier; index++) {
    const cell_page *p = &h->space.pages[index];
    for (uint32_t i = 0;
         p->kind == PAGE_CELLS && p->class == number && i < h->cells.classes[number].cells; i++) {
      cell c;
      fill_cell(h, &c, index, h->cell_origin + (size_t)i * r->cell_size, r->cell_size,
                (uint16_t)number);
      bool is_now = bit_is_set(page_now(h, index), c.bit) && !cell_is_pending(h, &c),
           is_before = bit_is_set(page_before(h, index), c.bit);
      is_before &= is_collecting(h) && !(h->quarantine.is_on && is_now);
      uint8_t colour = p->epoch == h->cycle.epoch ? is_now      ? is_before ? SEEN_GREY : SEEN_BLACK
                                                    : is_before ? SEEN_ECRU
                                                                : SEEN_WHITE
                       : is_collecting(h) && p->epoch + 1 == h->cycle.epoch && is_now ? SEEN_ECRU
                                                                                      : SEEN_WHITE;
      *check_seen(k, &c) = colour;
      seen[colour]++;
      all++;
    }
  }
  if (all != r->count || seen[SEEN_WHITE] != r->white_count + ring_pending(r) ||
      seen[SEEN_ECRU] + seen[SEEN_GREY] != r->ecru_count)
    return acre_gc_check_fails(k, "colours of a class that are not counted", r->base);
  return true;
}

static bool check_ring(check *k, const ring *r, size_t class) {
  if (r->format == LINKS_NONE)
    return check_counts(k, r, class);
  acre_ref at = ring_next(r, r->sentinel);
  if (!check_colour(k, r, class, &at, r->white_count, SEEN_WHITE, 0) ||
      !check_colour(k, r, class, &at, ring_black_count(r), SEEN_BLACK, r->black) ||
      !check_colour(k, r, class, &at, r->grey_count, SEEN_GREY, r->grey) ||
      !check_colour(k, r, class, &at, r->ecru_count, SEEN_ECRU, r->ecru))
    return false;
  if (at != r->sentinel)
    return acre_gc_check_fails(k, "a ring with more cells than counted", r->base);
  if (r->grey_count && !r->has_grey)
    return acre_gc_check_fails(k, "a ring with grey cells that is not known to have them", r->base);
  if (!is_collecting(k->heap) && r->grey_count + r->ecru_count)
    return acre_gc_check_fails(k, "a grey or ecru cell between collections", r->base);
  return true;
}

static bool check_rings(check *k) {
  const heap *h = k->heap;
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    if (!check_ring(k, &h->cells.rings[i], i % h->cells.class_count))
      return false;
  size_t queued = 0;
  for (const ring *r = h->cycle.grey_rings; r; r = r->next_grey, queued++)
    if (!r->has_grey)
      return acre_gc_check_fails(k, "the list of grey rings is damaged", r->base);
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    queued -= h->cells.rings[i].has_grey;
  if (queued != h->cells.big.has_grey)
    return acre_gc_check_fails(k, "a ring that is not in the list of grey rings", h->space.base);
  return check_ring(k, &h->cells.big, 0);
}

/* -- Cells and their colours ------------------------------------------------------------------- */

static enum colour colour_seen(uint8_t seen) {
  seen &= (uint8_t)~SEEN_REACHED;
  return seen == SEEN_WHITE ? COLOUR_WHITE : seen == SEEN_ECRU ? COLOUR_ECRU : COLOUR_MARKED;
}

/* Adds what an object takes to the sums that the collector keeps of them. */
static void add_to(tally *t, const heap *h, const cell *c) {
  object_view o = cell_object(h, c);
  tally_add(t, c->is_big, o.size, cell_bytes(h, c));
}

typedef struct totals {
  tally all, marked;
} totals;

static bool is_zero(const cell *c) {
  const uint64_t *words = (const uint64_t *)c->start;
  for (size_t i = 0; i < c->size / sizeof *words; i++)
    if (words[i])
      return false;
  return true;
}

static bool check_cell(check *k, const cell *c, totals *t) {
  const heap *h = k->heap;
  uint8_t seen = *check_seen(k, c);
  cell found;
  if (!seen)
    return acre_gc_check_fails(k, "a cell that is on no ring", c->start);
  if (colour_seen(seen) != cell_colour(h, c))
    return acre_gc_check_fails(k, "a cell whose bits and place on its ring disagree", c->start);
  if (!find_cell(h, c->start + (c->is_big ? 0 : h->header_size), &found) ||
      found.start != c->start || found.size != c->size)
    return acre_gc_check_fails(k, "a cell that a pointer to it does not find", c->start);
  bool is_cleared = h->space.pages[c->page].is_clean ||
                    (c->class < h->cells.cleared_classes && cell_is_pending(h, c));
  if (seen == SEEN_WHITE)
    return !is_cleared || c->is_big || h->is_checked || is_zero(c) ||
           acre_gc_check_fails(
               k, "a free cell that is not zero, of a clean page or next to be allocated",
               c->start);
  add_to(&t->all, h, c);
  /* Without links an object is counted when it is scanned, which is when its header is read. */
  if (seen == SEEN_BLACK || (seen == SEEN_GREY && (c->is_big || !h->uses_bitmaps)))
    add_to(&t->marked, h, c);
  return true;
}

static bool check_cells(check *k, uint32_t index, totals *t) {
  const heap *h = k->heap;
  const cell_class *class = &h->cells.classes[h->space.pages[index].class];
  if (class->page_count > 1) {
    cell c;
    fill_cell(h, &c, index, 0, 0, h->space.pages[index].class);
    return check_cell(k, &c, t);
  }
  page_walk walk = {h, index, 0};
  cell c;
  bool is_cell;
  while (acre_gc_page_next(&walk, &c, &is_cell))
    if (is_cell && !check_cell(k, &c, t))
      return false;
  return true;
}

static bool is_tally_equal(const tally *a, const tally *b) {
  return a->objects == b->objects && a->useful == b->useful && a->big_objects == b->big_objects &&
         a->cells == b->cells;
}

/* -- Pages of the list area -------------------------------------------------------------------- */

/* How many pages of a list have the kind it is for; the rest of the list is damaged. */
static bool check_page_list(check *k, const page_list *l, enum page_kind kind, size_t *pages) {
  const heap *h = k->heap;
  size_t count = 0;
  for (uint32_t at = l->first, previous = 0; at;
       previous = at, at = h->space.pages[at].next, count++)
    if (h->space.pages[at].kind != kind || h->space.pages[at].previous != previous ||
        count > l->count)
      return acre_gc_check_fails(k, "a damaged list of pages", page_address(h, at));
  *pages += count;
  return count == l->count ||
         acre_gc_check_fails(k, "a list of pages with a wrong count", h->space.base);
}

static bool check_class_list(check *k, const page_list *l, size_t class, uint64_t least,
                             uint64_t most, size_t *pages) {
  const heap *h = k->heap;
  for (uint32_t at = l->first; at; at = h->space.pages[at].next)
    if (h->space.pages[at].class != class || h->space.pages[at].epoch < least ||
        h->space.pages[at].epoch > most)
      return acre_gc_check_fails(k, "a page in a list that its epoch is not of",
                                 page_address(h, at));
  return check_page_list(k, l, PAGE_CELLS, pages);
}

/* Without links what list a page is in, and how many of its cells are marked, follows from its
 * bitmaps. */
static bool check_bitmap_page(check *k, uint32_t index, bool has_white, bool has_ecru) {
  const heap *h = k->heap;
  const cell_class *class = &h->cells.classes[h->space.pages[index].class];
  bool is_current_epoch = h->space.pages[index].epoch == h->cycle.epoch;
  size_t counts[SEEN_ECRU + 1] = {0};
  for (uint32_t i = 0; i < class->cells; i++) {
    cell c;
    fill_cell(h, &c, index, h->cell_origin + (size_t)i * class->size, class->size,
              h->space.pages[index].class);
    counts[*check_seen(k, &c)]++;
  }
  size_t marked = is_current_epoch ? counts[SEEN_BLACK] + counts[SEEN_GREY] : counts[SEEN_ECRU];
  bool is_grey = counts[SEEN_GREY] != 0;
  if (has_white != (counts[SEEN_WHITE] != 0) ||
      (is_current_epoch && !has_white && has_ecru != (counts[SEEN_ECRU] != 0)))
    return acre_gc_check_fails(k, "a page in a list that its cells are not of",
                               page_address(h, index));
  if (h->space.pages[index].marked != marked ||
      (is_grey && is_current_epoch && !h->space.pages[index].is_grey))
    return acre_gc_check_fails(k, "a page whose marked or grey cells are not known",
                               page_address(h, index));
  return true;
}

static bool check_bitmap_list(check *k, const page_list *l, bool has_white, bool has_ecru) {
  for (uint32_t at = l->first; at; at = k->heap->space.pages[at].next)
    if (!check_bitmap_page(k, at, has_white, has_ecru))
      return false;
  return true;
}

static bool check_bitmap_lists(check *k, size_t class, size_t *pages) {
  const heap *h = k->heap;
  const cell_class *c = &h->cells.classes[class];
  if (!h->uses_bitmaps)
    return true;
  *pages += c->current != 0;
  if (!check_class_list(k, &c->waiting, class, h->cycle.epoch, h->cycle.epoch, pages) ||
      !check_class_list(k, &c->full, class, h->cycle.epoch, h->cycle.epoch, pages) ||
      !check_class_list(k, &c->ecru_full, class, h->cycle.epoch - 1, h->cycle.epoch - 1, pages))
    return false;
  if (!is_collecting(h) && c->waiting.count + c->ecru_full.count)
    return acre_gc_check_fails(k, "a page that waits for the end of no collection", h->space.base);
  return check_bitmap_list(k, &c->used, true, true) &&
         check_bitmap_list(k, &c->waiting, false, true) &&
         check_bitmap_list(k, &c->full, false, false) &&
         check_bitmap_list(k, &c->ecru, true, true) &&
         check_bitmap_list(k, &c->ecru_full, false, true);
}

static bool check_class_lists(check *k, size_t *pages) {
  const heap *h = k->heap;
  for (size_t i = 0; i < h->cells.class_count; i++) {
    const cell_class *c = &h->cells.classes[i];
    bool is_masked = h->cells.free_classes[i / 64] >> i % 64 & 1;
    if (!check_class_list(k, &c->used, i, h->cycle.epoch, h->cycle.epoch, pages) ||
        !check_class_list(k, &c->ecru, i, h->cycle.epoch - 1, h->cycle.epoch - 1, pages) ||
        !check_class_list(k, &c->free, i, 0, h->cycle.epoch - 1 - is_collecting(h), pages) ||
        !check_bitmap_lists(k, i, pages))
      return false;
    if (is_masked != (c->free.count != 0) || (c->ecru.count && !is_collecting(h)))
      return acre_gc_check_fails(k, "free pages of a class that are not known", h->space.base);
  }
  return true;
}

static bool check_list_area(check *k, totals *t, size_t *mapped) {
  const heap *h = k->heap;
  size_t kinds[PAGE_INSIDE + 1] = {0}, listed = 0, spare = 0, holes = 0;
  for (uint32_t at = 0; at < h->space.list_frontier; at++) {
    if (at % h->space.segment_pages == 0)
      continue; /* sentinels */
    if (h->space.pages[at].kind > PAGE_INSIDE)
      return acre_gc_check_fails(k, "a page without a kind", page_address(h, at));
    kinds[h->space.pages[at].kind]++;
    if (h->space.pages[at].kind == PAGE_CELLS && !check_cells(k, at, t))
      return false;
  }
  if (!check_class_lists(k, &listed) || !check_page_list(k, &h->space.spare, PAGE_SPARE, &spare) ||
      !check_page_list(k, &h->space.list_holes, PAGE_NONE, &holes))
    return false;
  if ((h->tracks_pages && listed != kinds[PAGE_CELLS]) || spare != kinds[PAGE_SPARE] ||
      holes != kinds[PAGE_NONE])
    return acre_gc_check_fails(k, "pages that are in no list", h->space.base);
  *mapped += kinds[PAGE_CELLS] + kinds[PAGE_INSIDE] + kinds[PAGE_SPARE];
  return true;
}

/* -- Big area ---------------------------------------------------------------------------------- */

/* What was an object there once is none now: its first page says so. */
static bool has_object_inside(const heap *h, uint32_t at) {
  uint32_t end = at + h->space.pages[at].count - 1;
  end = end < h->space.big_frontier ? end : h->space.big_frontier;
  for (uint32_t i = at + 1; i < end; i++)
    if (h->space.pages[i].kind != PAGE_INSIDE && h->space.pages[i].kind != PAGE_NONE)
      return true;
  return false;
}

static bool check_run(check *k, uint32_t at, enum page_kind before, totals *t) {
  const heap *h = k->heap;
  const cell_page *p = &h->space.pages[at], *last = p + p->count - 1;
  char *start = page_address(h, at);
  if (p->count == 0 || p->count > h->space.total_pages - at)
    return acre_gc_check_fails(k, "a run past the end", start);
  switch (p->kind) {
  case PAGE_BIG:
    for (uint32_t i = 1; i < p->count; i++)
      if (p[i].kind != PAGE_INSIDE || p[i].count != i)
        return acre_gc_check_fails(k, "a page inside a big object that does not say so", start);
    if (p->size + !p->is_full > (size_t)p->count << ACRE_PAGE_SHIFT)
      return acre_gc_check_fails(k, "a big object that is larger than its pages", start);
    if (p->is_full &&
        (last + 1 == h->space.pages + h->space.total_pages || last[1].kind == PAGE_BIG))
      return acre_gc_check_fails(k, "a big object whose end is another one's start", start);
    return check_cell(k, &(cell){.start = start, .page = at, .is_big = true}, t);
  case PAGE_FREE:
  case PAGE_HOLE:
    if (last->kind != p->kind || last->count != p->count)
      return acre_gc_check_fails(k, "a run whose ends disagree", start);
    if (has_object_inside(h, at))
      return acre_gc_check_fails(k, "a page inside a run that is not said to be", start);
    return p->kind != before || acre_gc_check_fails(k, "runs that are not merged", start);
  default:
    return p->kind == PAGE_OWED || acre_gc_check_fails(k, "a run without a kind", start);
  }
}

static bool check_bins(check *k, const page_list *bins, uint32_t mask, enum page_kind kind,
                       size_t *runs) {
  const heap *h = k->heap;
  for (unsigned bin = 0; bin < BIN_COUNT; bin++) {
    for (uint32_t at = bins[bin].first; at; at = h->space.pages[at].next)
      if (h->space.pages[at].count >> bin != 1)
        return acre_gc_check_fails(k, "a run in the wrong bin", page_address(h, at));
    if ((mask >> bin & 1) != (bins[bin].count != 0) || !check_page_list(k, &bins[bin], kind, runs))
      return acre_gc_check_fails(k, "bins that are not known", h->space.base);
  }
  return true;
}

static bool check_big_area(check *k, totals *t, size_t *mapped) {
  const heap *h = k->heap;
  size_t pages[PAGE_INSIDE + 1] = {0}, runs[PAGE_INSIDE + 1] = {0}, free_runs = 0, holes = 0,
                             work = 0;
  enum page_kind before = PAGE_NONE;
  for (uint32_t at = h->space.list_pages; at < h->space.total_pages;
       at += h->space.pages[at].count) {
    if (!check_run(k, at, before, t))
      return false;
    before = (enum page_kind)h->space.pages[at].kind;
    pages[before] += h->space.pages[at].count;
    runs[before]++;
    cell c = {.start = page_address(h, at), .page = at, .is_big = true};
    if (before == PAGE_BIG && cell_colour(h, &c) != COLOUR_WHITE)
      work += big_work(&h->space.pages[at]);
  }
  if (!check_bins(k, h->space.free_bins, h->space.free_bin_mask, PAGE_FREE, &free_runs) ||
      !check_bins(k, h->space.hole_bins, h->space.hole_bin_mask, PAGE_HOLE, &holes))
    return false;
  if (free_runs != runs[PAGE_FREE] || holes != runs[PAGE_HOLE] ||
      pages[PAGE_FREE] != h->space.free_run_pages ||
      pages[PAGE_BIG] !=
          h->cells.big_used_pages + h->cells.big_ecru_pages + h->cells.big_dead_pages ||
      work != h->cells.big_used_work + h->cells.big_ecru_work)
    return acre_gc_check_fails(k, "runs that are not counted", h->space.base);
  *mapped += pages[PAGE_BIG] + pages[PAGE_FREE];
  return true;
}

/* -- All --------------------------------------------------------------------------------------- */

static bool check_structures(check *k) {
  const heap *h = k->heap;
  totals t = {0};
  size_t mapped = 0, owed = 0;
  if (!check_rings(k) || !check_list_area(k, &t, &mapped) || !check_big_area(k, &t, &mapped))
    return false;
  for (uint32_t at = h->space.owed.first; at; at = h->space.pages[at].next)
    owed += h->space.pages[at].count;
  if (mapped != h->space.mapped_pages || mapped > h->space.limit_pages ||
      owed != h->space.owed_pages)
    return acre_gc_check_fails(k, "frames that are not counted", h->space.base);
  /* While a collection runs, alive also counts what the last one left and this one has not reached.
   */
  bool is_marking = is_collecting(h) && !h->quarantine.is_on;
  tally counted = is_marking ? heap_marked(h) : heap_alive(h);
  const tally *found = is_marking ? &t.marked : &t.all;
  /* What a thread takes from its run is known to be smaller only later, and what a quarantine
   * releases is estimated. */
  if (h->has_thread_caches || h->quarantine.is_on)
    counted.useful = found->useful;
  return is_tally_equal(&counted, found) ||
         acre_gc_check_fails(k, "objects that are not counted", h->space.base);
}

bool acre_heap_check(const acre_heap *head) {
  const heap *h = acre_gc_heap_of(head);
  check k = {.heap = h, .is_sound = true};
  k.bytes =
      (size_t)h->space.list_pages * PAGE_CELLS_MAX + (h->space.total_pages - h->space.list_pages);
  k.stack_bytes = (heap_alive(h).objects + 1) * sizeof(void *);
  k.cells = acre_os_table(k.bytes);
  k.stack = k.cells ? acre_os_table(k.stack_bytes) : NULL;
  if (k.stack && check_structures(&k))
    acre_gc_check_marks(&k);
  if (!k.stack)
    acre_gc_check_fails(&k, "no memory for the check", NULL);
  if (k.cells)
    acre_os_unreserve(k.cells, k.bytes);
  if (k.stack)
    acre_os_unreserve(k.stack, k.stack_bytes);
  return k.is_sound;
}
