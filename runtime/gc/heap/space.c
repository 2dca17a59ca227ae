/* SPDX-License-Identifier: MIT */
/* space.c - see space.h.
 *
 * Invariant:
 *   1. Every page of the list area below list_frontier is a sentinel page, PAGE_CELLS (or INSIDE
 *      one), PAGE_SPARE and in `spare`, PAGE_NONE and in `list_holes`, or PAGE_OWED and in `owed`.
 *   2. The big area is divided in runs of PAGE_BIG, PAGE_FREE, PAGE_HOLE and PAGE_OWED.  Of the
 *      first three, each page but the first is PAGE_INSIDE, or PAGE_NONE if it never was of an
 *      object, except that the last page of a free run or a hole has its kind and count.  No two
 *      free runs touch, and no two holes.  Where a full object ends, no other starts.
 *   3. Each free run and hole is in the bin of the power of two below its length; a mask says which
 *      bins have any.
 *   4. mapped_pages counts the pages that are CELLS, SPARE, BIG or FREE, with their INSIDE pages;
 *      it is at most limit_pages.  owed_pages counts the OWED ones.
 */
#include "gc/heap/space.h"

#include <string.h>

#include "gc/heap/cell.h"
#include "gc/heap/ring.h"
#include "platform/check.h"
#include "platform/memory_limit.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

/* Address space of the big area, in limits, where frames can be moved: how many times its live
   objects may have to step aside before no hole is long enough.  Less where that would take more
   than half of a limited address space. */
#define BIG_AREA_FACTOR 16
/* How many runs of a bin are tried before a longer one is split. */
#define FIT_TRIES 8
#define COMMIT_STEP 64
#define POPULATE_STEP 8
/* Pages that go back to the system at a time. */
#define SHRINK_PAGES 16
/* Frames that go back at a time for pages of the list area, at most, and that part of those that
 * are free. */
#define RETURNED_MAX 8
#define RETURNED_PART 8
/* Lazy remapping may be over the limit by this part of it. */
#define OWED_PART 8

/* -- Lists ------------------------------------------------------------------------------------- */

void acre_gc_list_push(heap *h, page_list *l, uint32_t index) {
  h->space.pages[index].previous = 0;
  h->space.pages[index].next = l->first;
  if (l->first)
    h->space.pages[l->first].previous = index;
  else
    l->last = index;
  l->first = index;
  l->count++;
}

/* As far as its neighbours say. */
static inline bool is_linked(const heap *h, const page_list *l, uint32_t index) {
  const cell_page *pages = h->space.pages, *p = &pages[index];
  return l->count && (p->previous ? pages[p->previous].next : l->first) == index &&
         (p->next ? pages[p->next].previous : l->last) == index;
}

void acre_gc_list_remove(heap *h, page_list *l, uint32_t index) {
  cell_page *p = &h->space.pages[index];
  ACRE_ASSERT(is_linked(h, l, index));
  if (p->previous)
    h->space.pages[p->previous].next = p->next;
  else
    l->first = p->next;
  if (p->next)
    h->space.pages[p->next].previous = p->previous;
  else
    l->last = p->previous;
  l->count--;
}

void acre_gc_list_splice(heap *h, page_list *to, page_list *from) {
  if (!from->first)
    return;
  h->space.pages[from->first].previous = to->last;
  if (to->last)
    h->space.pages[to->last].next = from->first;
  else
    to->first = from->first;
  to->last = from->last;
  to->count += from->count;
  *from = (page_list){0};
}

static uint32_t list_pop(heap *h, page_list *l) {
  uint32_t index = l->first;
  if (index)
    acre_gc_list_remove(h, l, index);
  return index;
}

/* -- Start ------------------------------------------------------------------------------------- */

static size_t table_bytes(const heap *h, size_t each) {
  return (size_t)h->space.total_pages * each;
}

static size_t block_bytes(const heap *h) { return h->space.list_pages / BLOCK_PAGES + 1; }

static void release_tables(heap *h) {
  if (h->space.base)
    acre_os_unreserve(h->space.base, h->space.bytes);
  if (h->space.pages)
    acre_os_unreserve(h->space.pages, table_bytes(h, sizeof *h->space.pages));
  if (h->space.bits)
    acre_os_unreserve(h->space.bits, table_bytes(h, 2 * BITMAP_WORDS * sizeof *h->space.bits));
  if (h->space.starts)
    acre_os_unreserve(h->space.starts,
                      (size_t)h->space.list_pages * START_WORDS * sizeof *h->space.starts);
  if (h->space.block_epochs)
    acre_os_unreserve(h->space.block_epochs, block_bytes(h));
  if (h->space.page_epochs)
    acre_os_unreserve(h->space.page_epochs, h->space.list_pages);
  if (h->cells.rings)
    acre_os_unreserve(h->cells.rings,
                      h->cells.segment_count * h->cells.class_count * sizeof *h->cells.rings);
}

static void add_run(heap *h, enum page_kind kind, uint32_t first, uint32_t count);

static size_t big_area_factor(const heap *h) {
  uint64_t half = acre_address_space_limit() / 2;
  size_t factor = h->config.remap ? BIG_AREA_FACTOR : 1;
  while (factor > 1 && (factor + 1) * h->config.limit_max > half)
    factor /= 2;
  return factor;
}

bool acre_gc_space_start(heap *h) {
  size_t most = h->config.limit_max >> ACRE_PAGE_SHIFT;
  size_t usable = SEGMENT_PAGES_PACKED - 1;
  h->cells.segment_count = h->is_packed ? (most + usable - 1) / usable : 1;
  /* The last page is never used: one past the end of an object before it is still in the list area.
   */
  h->space.list_pages = (uint32_t)(most + h->cells.segment_count + 1);
  h->space.segment_pages = h->is_packed ? SEGMENT_PAGES_PACKED : h->space.list_pages;
  size_t big = h->config.uses_big_objects ? big_area_factor(h) * most : 0;
  h->space.total_pages = (uint32_t)(h->space.list_pages + big);
  h->space.bytes = (size_t)h->space.total_pages << ACRE_PAGE_SHIFT;
  h->space.base = acre_os_reserve(h->space.bytes, ACRE_PAGE_SIZE);
  h->space.cells_base = h->space.base + h->header_size + h->cell_origin;
  h->space.list_bytes = (size_t)h->space.list_pages << ACRE_PAGE_SHIFT;
  h->space.pages = h->space.base ? acre_os_table(table_bytes(h, sizeof *h->space.pages)) : NULL;
  h->space.bits = h->space.pages
                      ? acre_os_table(table_bytes(h, 2 * BITMAP_WORDS * sizeof *h->space.bits))
                      : NULL;
  h->space.starts =
      h->space.bits
          ? acre_os_table((size_t)h->space.list_pages * START_WORDS * sizeof *h->space.starts)
          : NULL;
  h->cells.rings =
      h->space.starts
          ? acre_os_table(h->cells.segment_count * h->cells.class_count * sizeof *h->cells.rings)
          : NULL;
  h->space.block_epochs = h->cells.rings && h->uses_bitmaps ? acre_os_table(block_bytes(h)) : NULL;
  h->space.page_epochs = h->space.block_epochs ? acre_os_table(h->space.list_pages) : NULL;
  if (!h->cells.rings || (h->uses_bitmaps && !h->space.page_epochs)) {
    release_tables(h);
    return false;
  }
  acre_sanitizer_add_root(h->space.base, h->space.bytes);
  /* Page 0 is a sentinel page, so that 0 can mean none; of big objects the sentinel is its
   * descriptor. */
  ring_start(&h->cells.big, (char *)h->space.pages, 0, LINKS_PAGES);
  h->space.big_committed = h->space.list_pages;
  if (big)
    add_run(h, PAGE_HOLE, h->space.list_pages, (uint32_t)big);
  return true;
}

void acre_gc_space_end(heap *h) {
  acre_sanitizer_allow(h->space.base, (size_t)h->space.list_committed << ACRE_PAGE_SHIFT);
  for (uint32_t at = h->space.list_pages; at < h->space.total_pages; at += h->space.pages[at].count)
    if (h->space.pages[at].kind != PAGE_HOLE)
      acre_sanitizer_allow(page_address(h, at),
                           (size_t)h->space.pages[at].count << ACRE_PAGE_SHIFT);
  release_tables(h);
}

/* -- List area --------------------------------------------------------------------------------- */

static uint32_t usable_list_end(const heap *h) { return h->space.list_pages - 1; }

static bool commit_list(heap *h, uint32_t end) {
  if (end <= h->space.list_committed)
    return acre_os_request();
  uint32_t wanted = h->space.list_committed + COMMIT_STEP;
  wanted = wanted < end ? end : wanted;
  wanted = wanted < usable_list_end(h) ? wanted : usable_list_end(h);
  size_t bytes = (size_t)(wanted - h->space.list_committed) << ACRE_PAGE_SHIFT;
  if (!acre_os_commit(page_address(h, h->space.list_committed), bytes))
    return false;
  acre_sanitizer_forbid(page_address(h, h->space.list_committed), bytes);
  h->space.list_committed = wanted;
  return true;
}

/* Pages from the frontier on get their frames together: in a small heap no more than it has,
 * because each takes as long as a fault. */
static void populate_list(heap *h, uint32_t count) {
  uint32_t from = h->space.list_frontier,
           room = (uint32_t)(h->space.limit_pages - h->space.mapped_pages),
           step = from > POPULATE_STEP ? POPULATE_STEP
                  : from > 0           ? from
                                       : 1;
  if (from + count <= h->space.list_populated)
    return;
  step = step > count ? step : count;
  uint32_t end = from + (room < step ? room : step);
  end = end < h->space.list_committed ? end : h->space.list_committed;
  acre_os_populate(page_address(h, from), (size_t)(end - from) << ACRE_PAGE_SHIFT);
  h->space.list_populated = end;
}

static void ring_start_class(const heap *h, ring *r, char *base, size_t class) {
  enum link_format format = h->uses_bitmaps ? LINKS_NONE : (enum link_format)h->config.header_words;
  ring_start(r, base, (acre_ref)(class * 4), format);
  r->class = (uint16_t)class;
  r->cell_size = h->cells.classes[class].size;
  r->reciprocal = h->cells.classes[class].reciprocal;
}

/* The first page of each segment holds the sentinels of its rings, 32 bytes for each. */
static bool start_segment(heap *h) {
  uint32_t index = h->space.list_frontier;
  if (!commit_list(h, index + 1))
    return false;
  char *base = page_address(h, index);
  acre_sanitizer_define(base, ACRE_PAGE_SIZE);
  for (size_t i = 0; i < h->cells.class_count; i++)
    ring_start_class(h, ring_at(h, h->cells.segments_started, i), base, i);
  h->cells.segments_started++;
  h->space.list_frontier++;
  return true;
}

uint32_t acre_gc_space_take_spare(heap *h) { return list_pop(h, &h->space.spare); }

void acre_gc_space_add_spare(heap *h, uint32_t index) {
  ACRE_ASSERT(is_list_page(h, index));
  h->space.pages[index].kind = PAGE_SPARE;
  h->space.pages[index].is_mixed = h->space.pages[index].is_clean = false;
  if (h->is_checked)
    acre_sanitizer_forbid(page_address(h, index), ACRE_PAGE_SIZE);
  acre_gc_list_push(h, &h->space.spare, index);
}

/* A page of the list area without a frame; 0 if there is none. */
static uint32_t take_place(heap *h, uint32_t count) {
  if (count == 1 && h->space.list_holes.count)
    return acre_os_request() ? list_pop(h, &h->space.list_holes) : 0;
  if (h->space.list_frontier % h->space.segment_pages == 0 &&
      h->space.list_frontier < usable_list_end(h) && !start_segment(h))
    return 0;
  uint32_t index = h->space.list_frontier;
  if (count > usable_list_end(h) - index || !commit_list(h, index + count))
    return 0;
  populate_list(h, count);
  h->space.list_frontier += count;
  return index;
}

uint32_t acre_gc_space_take_new(heap *h, uint32_t count) {
  if (count > h->space.limit_pages - h->space.mapped_pages)
    return 0;
  uint32_t index = take_place(h, count);
  if (index) {
    h->space.mapped_pages += count;
    h->space.pages[index].kind = PAGE_SPARE;
    h->space.pages[index].is_clean = true; /* a frame comes with the first touch */
  }
  return index;
}

/* -- Runs of the big area ---------------------------------------------------------------------- */

static unsigned bin_of(uint32_t count) { return 31 - (unsigned)__builtin_clz(count); }
static page_list *bins(heap *h, enum page_kind kind) {
  return kind == PAGE_FREE ? h->space.free_bins : h->space.hole_bins;
}
static uint32_t *bin_mask(heap *h, enum page_kind kind) {
  return kind == PAGE_FREE ? &h->space.free_bin_mask : &h->space.hole_bin_mask;
}

static void unlist_run(heap *h, uint32_t first) {
  cell_page *p = &h->space.pages[first];
  ACRE_ASSERT(p->kind == PAGE_FREE || p->kind == PAGE_HOLE);
  unsigned bin = bin_of(p->count);
  acre_gc_list_remove(h, &bins(h, p->kind)[bin], first);
  if (!bins(h, p->kind)[bin].count)
    *bin_mask(h, p->kind) &= ~((uint32_t)1 << bin);
  if (p->kind == PAGE_FREE)
    h->space.free_run_pages -= p->count;
}

static void list_run(heap *h, enum page_kind kind, uint32_t first, uint32_t count) {
  unsigned bin = bin_of(count);
  h->space.pages[first].kind = h->space.pages[first + count - 1].kind = (uint8_t)kind;
  h->space.pages[first].count = h->space.pages[first + count - 1].count = count;
  acre_gc_list_push(h, &bins(h, kind)[bin], first);
  *bin_mask(h, kind) |= (uint32_t)1 << bin;
  if (kind == PAGE_FREE)
    h->space.free_run_pages += count;
}

/* It was the first or the last of an object or a run, and is neither of what it is part of now. */
static void make_inside(heap *h, uint32_t index) {
  h->space.pages[index].kind = PAGE_INSIDE;
  h->space.pages[index].count = 0;
}

static void add_run(heap *h, enum page_kind kind, uint32_t first, uint32_t count) {
  uint32_t end = first + count;
  if (first > h->space.list_pages && h->space.pages[first - 1].kind == kind) {
    uint32_t before = h->space.pages[first - 1].count;
    unlist_run(h, first - before);
    make_inside(h, first - 1);
    make_inside(h, first);
    first -= before;
    count += before;
  }
  if (end < h->space.total_pages && h->space.pages[end].kind == kind) {
    unlist_run(h, end);
    count += h->space.pages[end].count;
    make_inside(h, end - 1);
    make_inside(h, end);
  }
  list_run(h, kind, first, count);
}

void acre_gc_space_add_free(heap *h, uint32_t first, uint32_t count) {
  ACRE_ASSERT(!is_list_page(h, first) && count > 0);
  if (h->is_checked)
    acre_sanitizer_forbid(page_address(h, first), (size_t)count << ACRE_PAGE_SHIFT);
  add_run(h, PAGE_FREE, first, count);
}

/* Where an object in the run would start: not where a full one ends. */
static uint32_t start_in(const heap *h, uint32_t run) { return run + (full_before(h, run) != 0); }

static bool fits(const heap *h, uint32_t run, uint32_t count, bool is_full) {
  uint32_t end = run + h->space.pages[run].count, room = end - start_in(h, run);
  bool has_end = !is_full || (end < h->space.total_pages && h->space.pages[end].kind != PAGE_BIG);
  return room > count || (room == count && has_end);
}

/* A run with count pages for an object, in its list; 0 if none was found.  Where frames do not
   move, the whole bin is searched, as the paper's big object list is; of the runs in the next bins
   the first one that fits will do. */
static uint32_t find_run(heap *h, enum page_kind kind, uint32_t count, bool is_full) {
  uint32_t best = 0;
  for (uint32_t mask = *bin_mask(h, kind) & ~(uint32_t)0 << bin_of(count); mask && !best;
       mask &= mask - 1) {
    unsigned bin = (unsigned)__builtin_ctz(mask);
    size_t tries = h->config.remap ? FIT_TRIES : SIZE_MAX;
    for (uint32_t at = bins(h, kind)[bin].first; at && tries > 0 && !(best && bin > bin_of(count));
         at = h->space.pages[at].next, tries--) {
      h->account.stats.runs_searched++;
      if (fits(h, at, count, is_full) &&
          (!best || h->space.pages[at].count < h->space.pages[best].count))
        best = at;
    }
  }
  return best;
}

/* Takes the first count pages of a run out of it. */
static void split_run(heap *h, uint32_t first, uint32_t count) {
  enum page_kind kind = (enum page_kind)h->space.pages[first].kind;
  uint32_t whole = h->space.pages[first].count;
  unlist_run(h, first);
  /* Neighbours look at the ends: they must not take what is between lists for a run. */
  h->space.pages[first].kind = h->space.pages[first + count - 1].kind = PAGE_INSIDE;
  if (whole > count)
    list_run(h, kind, first + count, whole - count);
}

/* Takes count pages for an object out of a run that fits. */
static uint32_t cut_run(heap *h, uint32_t run, uint32_t count) {
  enum page_kind kind = (enum page_kind)h->space.pages[run].kind;
  uint32_t first = start_in(h, run);
  split_run(h, run, first - run + count);
  h->space.pages[first].kind = PAGE_INSIDE;
  if (run < first)
    list_run(h, kind, run, 1);
  return first;
}

static void make_big(heap *h, uint32_t first, uint32_t count, bool is_full) {
  h->space.big_frontier =
      first + count > h->space.big_frontier ? first + count : h->space.big_frontier;
  h->space.pages[first].kind = PAGE_BIG;
  h->space.pages[first].count = count;
  h->space.pages[first].is_full = is_full;
  for (uint32_t i = 1; i < count; i++) {
    h->space.pages[first + i].kind = PAGE_INSIDE;
    h->space.pages[first + i].count = i;
  }
}

static bool commit_big(heap *h, uint32_t end) {
  uint32_t from = h->space.big_committed, wanted = from + COMMIT_STEP;
  if (end <= from)
    return acre_os_request();
  wanted = wanted < end ? end : wanted < h->space.total_pages ? wanted : h->space.total_pages;
  if (!acre_os_commit(page_address(h, from), (size_t)(wanted - from) << ACRE_PAGE_SHIFT))
    return false;
  h->space.big_committed = wanted;
  return true;
}

uint32_t acre_gc_space_take_run(heap *h, uint32_t count, bool is_full, bool *is_clean) {
  uint32_t run = find_run(h, PAGE_FREE, count, is_full);
  *is_clean = !run;
  if (run) {
    if (!acre_os_request())
      return 0;
  } else {
    if (count > h->space.limit_pages - h->space.mapped_pages)
      return 0;
    run = find_run(h, PAGE_HOLE, count, is_full);
    if (!run || !commit_big(h, start_in(h, run) + count))
      return 0;
    h->space.mapped_pages += count;
  }
  ACRE_ASSERT(h->space.mapped_pages <= h->space.limit_pages);
  uint32_t first = cut_run(h, run, count);
  make_big(h, first, count, is_full);
  return first;
}

/* -- Moving frames ----------------------------------------------------------------------------- */

/* count pages at from no longer have frames. */
static void add_hole(heap *h, uint32_t from, uint32_t count) {
  if (is_list_page(h, from)) {
    h->space.pages[from].kind = PAGE_NONE;
    acre_gc_list_push(h, &h->space.list_holes, from);
  } else {
    add_run(h, PAGE_HOLE, from, count);
  }
}

/* Moves the frames of count pages to accessible ones. */
static void move_frames(heap *h, uint32_t from, uint32_t to, uint32_t count) {
  size_t bytes = (size_t)count << ACRE_PAGE_SHIFT;
  /* The kernel does not watch what it has moved. */
  if (h->watch.finds_stores || !acre_os_move(page_address(h, from), page_address(h, to), bytes))
    acre_os_decommit(page_address(h, from), bytes);
  h->account.stats.pages_remapped += count;
}

/* The frame of a free page of the big area moves to the list area. */
static uint32_t take_moved_frame(heap *h) {
  uint32_t to = take_place(h, 1);
  if (!to)
    return 0;
  uint32_t from = h->space.free_bins[__builtin_ctz(h->space.free_bin_mask)].first;
  split_run(h, from, 1);
  move_frames(h, from, to, 1);
  add_hole(h, from, 1);
  h->space.pages[to].kind = PAGE_SPARE;
  h->space.pages[to].is_clean = false;
  return to;
}

static void return_frames(heap *h, uint32_t from, uint32_t count) {
  acre_os_decommit(page_address(h, from), (size_t)count << ACRE_PAGE_SHIFT);
  add_hole(h, from, count);
  h->space.mapped_pages -= count;
}

/* Again: who used it after it was freed may have written there. */
void acre_gc_space_add_returned(heap *h, uint32_t first, uint32_t count) {
  ACRE_ASSERT(!is_list_page(h, first) && count > 0);
  return_frames(h, first, count);
  h->account.stats.pages_returned += count;
}

/* Some frames go back to the system together, and new pages of the list area may have as many: that
   and the faults take less time than to move frames one by one.  What is not wanted yet is spare.
 */
static uint32_t take_for_returned(heap *h) {
  uint32_t to = take_place(h, 1);
  if (!to)
    return 0;
  uint32_t from = h->space.free_bins[__builtin_ctz(h->space.free_bin_mask)].first,
           count = (uint32_t)h->space.free_run_pages / RETURNED_PART;
  count = count < 1 ? 1 : count > RETURNED_MAX ? RETURNED_MAX : count;
  count = count < h->space.pages[from].count ? count : h->space.pages[from].count;
  split_run(h, from, count);
  return_frames(h, from, count);
  h->account.stats.pages_remapped += count;
  h->space.mapped_pages++;
  h->space.pages[to].kind = PAGE_SPARE;
  h->space.pages[to].is_clean = true;
  for (uint32_t next; count > 1 && (next = acre_gc_space_take_new(h, 1)) != 0; count--) {
    acre_gc_space_add_spare(h, next);
    h->space.pages[next].is_clean = true;
  }
  return to;
}

uint32_t acre_gc_space_take_moved(heap *h) {
  if (!h->config.remap || !h->space.free_bin_mask)
    return 0;
  return h->config.remap == ACRE_HEAP_REMAP_LAZY ? take_for_returned(h) : take_moved_frame(h);
}

/* Free pages with frames, at most count of them, out of their lists: long runs first, they are the
 * cheapest to move. */
static uint32_t take_piece(heap *h, uint32_t count, uint32_t *taken) {
  *taken = 1;
  if (!h->space.free_bin_mask)
    return list_pop(h, &h->space.spare);
  uint32_t first = h->space.free_bins[31 - __builtin_clz(h->space.free_bin_mask)].first;
  *taken = h->space.pages[first].count < count ? h->space.pages[first].count : count;
  split_run(h, first, *taken);
  return first;
}

/* Fills count pages at to with the frames of free pages. */
static void move_pieces(heap *h, uint32_t to, uint32_t count) {
  for (uint32_t done = 0, taken; done < count; done += taken) {
    uint32_t from = take_piece(h, count - done, &taken);
    move_frames(h, from, to + done, taken);
    add_hole(h, from, taken);
  }
}

/* Frees pages whose frames count pages elsewhere take over; they go back to the system later. */
static void owe_pieces(heap *h, uint32_t count) {
  for (uint32_t done = 0, taken; done < count; done += taken) {
    uint32_t from = take_piece(h, count - done, &taken);
    for (uint32_t i = 0; i < taken; i++)
      h->space.pages[from + i].kind = PAGE_OWED;
    h->space.pages[from].count = taken;
    acre_gc_list_push(h, &h->space.owed, from);
    h->space.owed_pages += taken;
  }
  h->account.stats.pages_remapped += count;
}

void acre_gc_space_repay(heap *h, size_t runs) {
  for (; runs > 0 && h->space.owed.count; runs--) {
    uint32_t from = list_pop(h, &h->space.owed), count = h->space.pages[from].count;
    acre_os_decommit(page_address(h, from), (size_t)count << ACRE_PAGE_SHIFT);
    h->space.owed_pages -= count;
    for (uint32_t i = 0; i < count; i++)
      h->space.pages[from + i].kind = PAGE_INSIDE;
    add_hole(h, from, count);
  }
}

bool acre_gc_space_shrink(heap *h, size_t most) {
  if (!h->pace.growth_min)
    h->space.limit_pages = most > h->space.mapped_pages ? most : h->space.mapped_pages;
  if (h->space.mapped_pages <= most)
    return true;
  if (!h->space.spare.count && !h->space.free_bin_mask)
    return false;
  uint32_t count = h->space.mapped_pages - most < SHRINK_PAGES
                       ? (uint32_t)(h->space.mapped_pages - most)
                       : SHRINK_PAGES,
           taken;
  uint32_t from = take_piece(h, count, &taken);
  return_frames(h, from, taken);
  if (!h->pace.growth_min)
    h->space.limit_pages -= taken;
  h->account.stats.pages_returned += taken;
  return true;
}

uint32_t acre_gc_space_gather_run(heap *h, uint32_t count, bool is_full, bool *is_clean) {
  ACRE_ASSERT(space_available(h) >= count);
  bool is_lazy = h->config.remap == ACRE_HEAP_REMAP_LAZY;
  uint32_t run = find_run(h, PAGE_HOLE, count, is_full), to = start_in(h, run);
  size_t room = h->space.limit_pages - h->space.mapped_pages;
  uint32_t fresh = room < count ? (uint32_t)room : count, moved = count - fresh;
  *is_clean = is_lazy;
  if (!run || !commit_big(h, to + count))
    return 0;
  cut_run(h, run, count);
  if (is_lazy) {
    owe_pieces(h, moved);
    while (h->space.owed_pages > h->space.limit_pages / OWED_PART && h->space.owed.count)
      acre_gc_space_repay(h, 1);
  } else {
    move_pieces(h, to, moved);
  }
  h->space.mapped_pages += fresh;
  ACRE_ASSERT(h->space.mapped_pages <= h->space.limit_pages);
  make_big(h, to, count, is_full);
  return to;
}
