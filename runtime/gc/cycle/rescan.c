/* SPDX-License-Identifier: MIT */
/* rescan.c - see rescan.h.  A heap whose writes the kernel watches needs no barrier
 * (docs/design/collector/dirty.md).
 *
 * Invariant: where is_protected says so, each word of a black object refers to no ecru object,
 * unless its page was written after it was last protected, or is not protected.  A page is
 * protected before it is scanned, and what is black on it by then, because it was allocated since
 * the colours changed, is visited after that; one of a large object that was never written is
 * neither protected nor scanned, and counts as written once it is.  Marking itself writes to no
 * page, because the cells of these heaps have no links.
 */
#include "gc/cycle/rescan.h"

#include "gc/cycle/foreign_roots.h"
#include "gc/cycle/mark.h"
#include "gc/cycle/mark_bitmap.h"
#include "gc/cycle/quarantine.h"
#include "gc/heap/bitmap.h"
#include "gc/linux/dirty.h"
#include "gc/linux/stop_world.h"
#include "gc/trace/event.h"
#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/os.h"

/* Protected at a time; of cells, so many at least, and as many as make so many parts of all.  What
   that takes, in slots: always, and for each page. */
#define PROTECT_PAGES 64
#define PROTECT_PAGES_MIN 32
#define PROTECT_PARTS 64
#define PROTECT_WORDS 40
#define PROTECT_PAGE_WORDS 9
/* Pages of the queue whose turn to be scanned is next are protected together. */
#define PROTECT_AHEAD 128
/* Released at a time: it takes 1/8 of a fault for each page. */
#define RELEASE_PAGES 128
/* Looked at for that, at most. */
#define RELEASE_LOOK 1024
/* The system's pages whose writes are asked for at a time, as many as the increment may visit.  Not
 * less than two pages of the heap. */
#define CHASE_STEP 16
#define CHASE_STEP_MAX 256
#define CHASE_PAGE_WORDS 128
#define SYSTEM_PAGE_BYTES 4096
/* What a word of a bitmap stands for. */
#define WORD_BYTES ((size_t)64 * CELL_MIN)
/* Gaps shorter than this are scanned along: that is cheaper than another ioctl. */
#define GAP_PAGES 8
/* Pages that are passed over in the time that a slot takes; that the kernel looks at. */
#define PASSED_AT_ONCE 8
#define ASKED_AT_ONCE 4
/* Bytes that become grey in that time. */
#define GREYED_AT_ONCE 64
/* Looked at for one question, if nothing there was written. */
#define QUESTION_PAGES 2048
/* The same in bytes of a sparse object. */
#define SPARSE_QUESTION ((size_t)8 << 20)
/* Pages with garbage that are worth two questions instead of one: they are not protected, so the
   kernel names them all; and pages of big objects.  Runs of the big area that are looked at for
   such, at most. */
#define GARBAGE_RUN 64
#define LONG_RUN 256
#define RUNS_LOOKED_AT 256
/* What the last stop visits at most: so many bytes, and this part of the heap, the rest of which it
   only asks about, for which it takes as long.  A pass that found no more was the last. */
#define LAST_BYTES ((size_t)320 << 10)
#define LAST_PART 512
/* Nothing that is read leads to more in a heap with a quarantine; but eight words of which some are
 * addresses take as long as so many bytes more. */
#define LAST_READ_BYTES ((size_t)640 << 10)
#define FOUND_GROUP_BYTES 256
/* Between two steps the program is to write this part of what a step visits, as long as they come
   no more often than at this part of other intervals. */
#define CHASE_WRITTEN_PERCENT 35
#define CHASE_INTERVAL_PART 8
/* Steps of a heap with a quarantine come eight times less often than others otherwise. */
#define CHASE_READ_PART 64
/* Up to so many times what a last pass may find is chased as fast as it goes: that takes few steps.
 */
#define CHASE_NEAR 6
/* Where with the shortest interval so many passes do not find this part less than the one before,
   or passes have visited the heap so many times, the program writes faster than it can be followed:
   the last stop visits all that is left. */
#define CHASE_GAIN_PART 8
#define VAIN_PASSES_MAX 4
#define CHASED_HEAPS_MAX 12
/* Protected at a time before they are swept; and what that takes beside reading, in slots. */
#define SWEEP_PAGES 64
#define SWEEP_WORDS 300
/* Read at a time, of the list area and of the other, where the kernel is asked first: if all words
 * there are addresses, it takes some 0.1 ms. */
#define READ_PAGES 8
#define READ_BIG_PAGES 16
/* What a question to the kernel takes, in slots. */
#define QUESTION_WORDS 128

/* -- Objects ----------------------------------------------------------------------------------- */

typedef struct slots {
  heap *heap;
  const char *base;
} slots;

static void visit_slot(const acre_slot *run, size_t offset, void *context) {
  const slots *s = context;
  void *value;
  (void)run;
  memcpy(&value, s->base + offset, sizeof value);
  mark_value(s->heap, value);
}

/* Marks what the part of a marked object in [start, end) refers to; some of it is left in f.  By
 * its type it is visited whole. */
static void visit_object(heap *h, const cell *c, const char *start, const char *end,
                         found_values *f) {
  object_view o = cell_object(h, c);
  if (acre_site_has_no_pointers(o.site))
    return;
  h->cycle.holder = o.start;
  const acre_type *type = o.site ? o.site->type : NULL;
  if (type && (o.size <= ACRE_PAGE_SIZE || acre_type_is_packed(type, (uintptr_t)o.start)))
    acre_type_each_slot(type, o.size, visit_slot, &(slots){h, o.start});
  else
    acre_gc_bitmap_mark_again(h, f, o.start > start ? o.start : start,
                              o.start + o.size < end ? o.start + o.size : end);
  if (h->cells.has_freed) /* a report names the holder */
    acre_gc_bitmap_mark_found(h, f);
  h->cycle.holder = NULL;
}

/* The part of a marked cell in [start, end).  *plain is the last header that was found to say no
   more than that all of the object is to be searched: most on a page say the same. */
static void visit_cell(heap *h, uint32_t index, char *cell_start, const char *start,
                       const char *end, found_values *f, uint64_t *plain) {
  const cell_page *p = &h->space.pages[index];
  uint64_t info = *(const uint64_t *)cell_start;
  if (info == *plain) {
    const char *from = cell_start + sizeof info,
               *until = cell_start + p->cell_size - (info >> INFO_PADDING_SHIFT);
    acre_gc_bitmap_mark_again(h, f, from > start ? from : start, until < end ? until : end);
    return;
  }
  const acre_site *site = (const acre_site *)(uintptr_t)(info & INFO_SITE_MASK);
  if (info >> INFO_FLAGS_SHIFT == 0 && !(site && site->type) && !h->cells.has_freed)
    *plain = info;
  cell c;
  fill_cell(h, &c, index, (size_t)(cell_start - page_address(h, index)), p->cell_size, p->class);
  visit_object(h, &c, start, end, f);
}

/* What is grey will be scanned. */
static void visit_cells(heap *h, uint32_t index, const char *start, const char *end,
                        found_values *f) {
  const cell_page *p = &h->space.pages[index];
  char *first = page_address(h, index) + h->cell_origin;
  uint64_t plain = UINT64_MAX; /* which is no header's */
  size_t word =
      start > first + p->cell_size ? (size_t)(start - first - p->cell_size) / WORD_BYTES : 0;
  for (; word < BITMAP_WORDS && first + word * WORD_BYTES < end; word++)
    for (uint64_t grey = h->quarantine.is_on ? 0 : page_before(h, index)[word],
                  black = page_now(h, index)[word] & ~grey;
         black; black &= black - 1) {
      size_t bit = word * 64 + (size_t)__builtin_ctzl(black);
      char *at = first + bitmap_offset(bit * CELL_MIN, p->cell_size, p->reciprocal);
      if (at < end && at + p->cell_size > start)
        visit_cell(h, index, at, start, end, f, &plain);
    }
}

/* The big object that may have pointers, that the page is of, and that is not white, as *c; false
 * if there is none. */
static bool find_big(const heap *h, uint32_t index, cell *c) {
  const cell_page *p = &h->space.pages[index];
  uint32_t first = p->kind == PAGE_INSIDE && p->count <= index ? index - p->count : index;
  p = &h->space.pages[first];
  *c = (cell){.start = page_address(h, first), .page = first, .is_big = true};
  return p->kind == PAGE_BIG && index - first < p->count && p->has_pointers &&
         cell_colour(h, c) != COLOUR_WHITE;
}

/* The part [start, end) of one page.  False if nothing there was to be visited. */
static bool visit_page(heap *h, uint32_t index, const char *start, const char *end,
                       found_values *f) {
  const cell_page *p = &h->space.pages[index];
  cell c;
  if (p->kind == PAGE_CELLS && p->epoch == h->cycle.epoch) {
    if (h->quarantine.is_on && !h->cells.has_freed)
      acre_gc_quarantine_read_cells(h, index, start, end, f);
    else
      visit_cells(h, index, start, end, f);
    return true;
  }
  /* What is grey, or is about to be scanned, will be. */
  if (!is_list_page(h, index) && find_big(h, index, &c) && cell_colour(h, &c) == COLOUR_MARKED &&
      !h->space.pages[c.page].is_grey && c.start != h->cycle.scan.object) {
    visit_object(h, &c, start, end, f);
    return true;
  }
  return false;
}

/* Returns how many bytes of it were to be visited, or what takes as long; it ends where they are
 * `most`, or more by less than what is on a page. */
static size_t visit_some(heap *h, uintptr_t start, uintptr_t end, size_t most) {
  found_values f = {.count = 0};
  size_t visited = 0;
  for (uintptr_t at = start; at < end && visited < most;) {
    uint32_t index = page_index(h, (const void *)at);
    uintptr_t next = (uintptr_t)page_address(h, index + 1);
    next = next < end ? next : end;
    size_t groups = h->quarantine.found_groups;
    visited += visit_page(h, index, (const char *)at, (const char *)next, &f) ? next - at : 0;
    visited += (h->quarantine.found_groups - groups) * FOUND_GROUP_BYTES;
    at = next;
  }
  acre_gc_bitmap_mark_found(h, &f);
  return visited;
}

static void visit_range(heap *h, uintptr_t start, uintptr_t end) {
  visit_some(h, start, end, SIZE_MAX);
}

/* -- Passes ------------------------------------------------------------------------------------ */

/* The pages that may hold objects are two ranges: the end of the one that index is in or before; 0
 * behind both. */
static uint32_t range_at(const heap *h, uint32_t *index) {
  if (*index >= h->space.list_frontier && *index < h->space.list_pages)
    *index = h->space.list_pages;
  if (*index < h->space.list_frontier)
    return h->space.list_frontier;
  return *index < h->space.big_frontier ? h->space.big_frontier : 0;
}

/* Pages of cells that are in use, as of now, are protected and asked about, and those of marked big
   objects that may have pointers; of others nobody knows that they were not written. */
static bool is_in_use(const heap *h, uint32_t index) {
  if (is_list_page(h, index))
    return h->space.pages[index].epoch == h->cycle.epoch &&
           h->space.pages[index].kind == PAGE_CELLS;
  cell c;
  return find_big(h, index, &c) && cell_colour(h, &c) == COLOUR_MARKED;
}

/* Does a free run or a hole start there?  Its last page says the same as its first one, but not the
 * one behind that. */
static bool starts_gap(const heap *h, uint32_t index) {
  const cell_page *p = &h->space.pages[index];
  bool is_gap = p->kind == PAGE_FREE || p->kind == PAGE_HOLE;
  return is_gap && (p->count == 1 || p[1].kind == (p->count == 2 ? p->kind : PAGE_INSIDE));
}

/* The page behind index, or behind the big object, free run or hole that it is of, all of which is
 * in use or is not; at most end. */
static uint32_t page_behind(const heap *h, uint32_t index, uint32_t end) {
  const cell_page *p = &h->space.pages[index];
  uint32_t first = index, behind = index + 1;
  if (!is_list_page(h, index) && p->kind == PAGE_INSIDE && p->count <= index)
    first -= p->count;
  p = &h->space.pages[first];
  if (!is_list_page(h, index) && ((p->kind == PAGE_BIG && index - first < p->count) ||
                                  (index == first && starts_gap(h, index))))
    behind = first + p->count;
  return behind < end ? behind : end;
}

/* The next pages in use from h->watch.visit_page on, which moves there: returns where they end, or
   the gap of pages that are not is long enough.  0: there are none before `end`, or no budget is
   left to look for more. */
static uint32_t pages_in_use(heap *h, uint32_t end, uint32_t most, budget *b) {
  uint32_t first = h->watch.visit_page, passed = 0, until;
  for (; first < end && !is_in_use(h, first) && passed < b->words * PASSED_AT_ONCE; passed++)
    first = page_behind(h, first, end);
  budget_use(b, passed / PASSED_AT_ONCE);
  h->watch.visit_page = first;
  if (first == end || !is_in_use(h, first))
    return 0;
  end = end - first < most ? end : first + most;
  until = first;
  for (uint32_t at = first, behind; at < end && at - until < GAP_PAGES; at = behind) {
    behind = page_behind(h, at, end);
    if (is_in_use(h, at))
      until = behind;
  }
  return until;
}

static void note_protected(heap *h, uint32_t from, uint32_t until) {
  for (; from < until; from++)
    h->space.pages[from].may_be_protected = true;
}

static void start_pass(heap *h) {
  h->watch.visit_page = 0;
  h->watch.last_chased_bytes = h->watch.chased_bytes;
  h->watch.chased_bytes = 0;
  h->watch.last_pass_clock = heap_clock(h) - h->watch.pass_clock;
  h->watch.pass_clock = heap_clock(h);
  h->watch.passes++;
  acre_gc_foreign_again(h);
}

/* The kernel does not watch any more: in the child of a fork, or the program has closed what it
 * does not know. */
static void lose(heap *h) { h->watch.is_tracked = h->watch.is_protected = false; }

static uintptr_t address_of(const heap *h, uint32_t index) {
  return (uintptr_t)page_address(h, index);
}

/* Objects lie on it, or did when this collection started. */
static bool had_objects(const heap *h, uint32_t index) {
  cell c;
  return is_list_page(h, index) ? h->space.pages[index].kind == PAGE_CELLS &&
                                      h->space.pages[index].epoch + 1 >= h->cycle.epoch
                                : find_big(h, index, &c);
}

/* A page, which has objects, and those around it. */
static void protect_around(heap *h, uint32_t index, budget *b) {
  uint32_t start = is_list_page(h, index) ? 0 : h->space.list_pages,
           limit = start ? h->space.big_frontier : h->space.list_frontier;
  uint32_t size = (limit - start) / PROTECT_PARTS;
  size = size < PROTECT_PAGES_MIN ? PROTECT_PAGES_MIN : size > PROTECT_PAGES ? PROTECT_PAGES : size;
  uint32_t first = index - (index - start) % size,
           end = first + size < limit ? first + size : limit;
  while (!had_objects(h, first))
    first++;
  while (!had_objects(h, end - 1))
    end--;
  for (uint32_t at = first; at < end; at++)
    h->space.pages[at].watched = (uint8_t)h->cycle.epoch;
  note_protected(h, first, end);
  size_t words = PROTECT_WORDS + (end - first) * PROTECT_PAGE_WORDS;
  h->pace.protect_words += words < b->words ? words : b->words;
  budget_use(b, words);
  if (!acre_gc_dirty_written(h, address_of(h, first), address_of(h, end), 0, visit_range))
    lose(h);
}

void acre_gc_protect_grey(heap *h, budget *b) {
  uint32_t index = h->cycle.grey_first;
  for (unsigned i = 0; index && i < PROTECT_AHEAD && b->words && h->watch.is_protected;
       i++, index = h->space.pages[index].next_grey)
    if (!is_watched(h, index))
      protect_around(h, index, b);
}

bool acre_gc_protect_scanned(heap *h, budget *b) {
  scan *s = &h->cycle.scan;
  if (is_list_page(h, page_index(h, s->object)))
    return true;
  for (; s->watched < s->size && h->watch.is_protected; s->watched += ACRE_PAGE_SIZE) {
    uint32_t index = page_index(h, s->object + s->watched);
    if (is_watched(h, index))
      continue;
    if (b->words == 0)
      return false;
    protect_around(h, index, b);
  }
  return true;
}

void acre_gc_pass_unfilled(heap *h, budget *b) {
  scan *s = &h->cycle.scan;
  ACRE_ASSERT(s->object && s->base >= s->filled && s->base < s->size);
  size_t at = s->base, left = s->size - at;
  uintptr_t from = (uintptr_t)s->object + at,
            until = from + (left < SPARSE_QUESTION ? left : SPARSE_QUESTION);
  s->filled = s->size;
  if (!may_be_sparse(h, s->size))
    return;
  if (acre_gc_dirty_next_filled(h, &from, &until)) {
    s->base = from - (uintptr_t)s->object;
    s->filled = until - (uintptr_t)s->object;
  }
  h->pace.cycle_unfilled += s->base - at;
  h->pace.cycle_marked += s->filled - s->base;
  budget_use(b, QUESTION_WORDS + ((s->base - at) >> ACRE_PAGE_SHIFT) / ASKED_AT_ONCE);
}

/* With the pages beside these, of the big area, which steps between two collections would release:
 * one question is not much dearer for more pages, and what is allocated next often lies there. */
static void release_around(heap *h, uint32_t first, uint32_t end) {
  cell_page *pages = h->space.pages;
  uint32_t most = h->watch.is_releasing ? RELEASE_PAGES : 0;
  for (; end < h->space.big_frontier && end - first < most && pages[end].may_be_protected; end++)
    pages[end].may_be_protected = false;
  for (; first > h->space.list_pages && end - first < most && pages[first - 1].may_be_protected;
       first--)
    pages[first - 1].may_be_protected = false;
  acre_gc_dirty_release(h, address_of(h, first), address_of(h, end));
}

void acre_gc_release_run(heap *h, uint32_t first) {
  uint32_t count = h->space.pages[first].count;
  bool is_protected = false;
  for (uint32_t at = first; at < first + count && h->watch.is_tracked; at++) {
    is_protected |= h->space.pages[at].may_be_protected;
    h->space.pages[at].may_be_protected = false;
  }
  if (is_protected)
    release_around(h, first, first + count);
}

static void clear(heap *h, uintptr_t start, uintptr_t end) {
  (void)h;
  memset((void *)start, 0, end - start);
}

void acre_gc_clear_run(heap *h, uint32_t first, size_t size) {
  acre_gc_release_run(h, first);
  if (!may_be_sparse(h, size) ||
      !acre_gc_dirty_filled(h, address_of(h, first), address_of(h, first) + size, clear))
    memset(page_address(h, first), 0, size);
  acre_gc_dirty_close(h);
}

/* What lies there is read in any case, be it written or not. */
static void pass_by(heap *h, uintptr_t start, uintptr_t end) {
  (void)h;
  (void)start;
  (void)end;
}

/* Pages in use, of one area, before they are read. */
static void protect_swept(heap *h, uint32_t from, uint32_t until, budget *b) {
  h->quarantine.protected_until = until;
  if (!h->watch.is_protected)
    return;
  note_protected(h, from, until);
  if (!acre_gc_dirty_written(h, address_of(h, from), address_of(h, until), 0, pass_by))
    lose(h);
  budget_use(b, SWEEP_WORDS);
}

/* They are read.  What was never written of large objects is not. */
static void read_swept(heap *h, uint32_t from, uint32_t until, budget *b) {
  uint64_t begin = acre_gc_event_nanoseconds();
  size_t found = h->quarantine.found_groups;
  if (is_list_page(h, from) || !h->watch.asks_for_filled ||
      !acre_gc_dirty_filled(h, address_of(h, from), address_of(h, until), visit_range))
    visit_range(h, address_of(h, from), address_of(h, until));
  h->quarantine.read_ns += acre_gc_event_nanoseconds() - begin;
  budget_use(b, (until - from) * (ACRE_PAGE_SIZE / sizeof(void *)) / SWEPT_AT_ONCE +
                    (h->quarantine.found_groups - found) * SWEPT_AT_ONCE);
}

bool acre_gc_sweep_some(heap *h, budget *b) {
  ACRE_ASSERT(is_collecting(h) && h->quarantine.is_condemned);
  for (uint32_t end; !h->quarantine.is_swept && (end = range_at(h, &h->watch.visit_page)) != 0;) {
    if (b->words == 0)
      return false;
    bool is_protected = h->watch.visit_page < h->quarantine.protected_until;
    uint32_t until = pages_in_use(h, end, is_protected ? READ_BIG_PAGES : SWEEP_PAGES, b),
             from = h->watch.visit_page;
    if (!until)
      continue;
    if (from >= h->quarantine.protected_until)
      protect_swept(h, from, until, b);
    uint32_t most = is_list_page(h, from) ? READ_PAGES : READ_BIG_PAGES,
             last = h->quarantine.protected_until;
    last = until < last ? until : last;
    last = last - from < most ? last : from + most;
    h->watch.visit_page = last;
    read_swept(h, from, last, b);
  }
  h->quarantine.is_swept = true;
  return true;
}

void acre_gc_chase_start(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS);
  h->watch.passes = h->watch.vain_passes = 0;
  h->watch.chased_in_all = 0;
  h->watch.chased_bytes = SIZE_MAX;
  start_pass(h);
}

void acre_gc_chase_again(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_SETTLE);
  start_pass(h);
}

void acre_gc_chase_found(heap *h, size_t bytes) {
  h->watch.chased_bytes += bytes;
  h->watch.chased_in_all += bytes;
}

static void chase(heap *h, uintptr_t start, uintptr_t end) {
  acre_gc_chase_found(h, visit_some(h, start, end, SIZE_MAX));
}

static size_t chase_step(const budget *b) {
  size_t pages = b->words / CHASE_PAGE_WORDS;
  return pages < CHASE_STEP ? CHASE_STEP : pages < CHASE_STEP_MAX ? pages : CHASE_STEP_MAX;
}

bool acre_gc_chase_some(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_CHASE);
  for (uint32_t end; (end = range_at(h, &h->watch.visit_page)) != 0;) {
    if (b->words == 0)
      return false;
    size_t before = h->watch.chased_bytes;
    uint64_t marked = h->pace.cycle_marked;
    uint32_t until = pages_in_use(h, end, QUESTION_PAGES, b);
    if (!until)
      continue;
    note_protected(h, h->watch.visit_page, until);
    uintptr_t at = acre_gc_dirty_written(h, address_of(h, h->watch.visit_page),
                                         address_of(h, until), chase_step(b), chase);
    if (!at) {
      lose(h);
      return false;
    }
    size_t asked = ((at - address_of(h, h->watch.visit_page)) >> ACRE_PAGE_SHIFT) / ASKED_AT_ONCE;
    /* The rest of a page that the walk ended in is looked at again. */
    h->watch.visit_page = page_index(h, (const void *)at);
    budget_use(b, (h->watch.chased_bytes - before) / sizeof(void *) / VISITED_AT_ONCE +
                      (h->pace.cycle_marked - marked) / GREYED_AT_ONCE + QUESTION_WORDS + asked);
    budget_use_touched(h, b);
  }
  return true;
}

static size_t heap_bytes(const heap *h) { return h->space.mapped_pages << ACRE_PAGE_SHIFT; }

static size_t last_bytes(const heap *h) {
  size_t least = h->quarantine.is_on ? LAST_READ_BYTES : LAST_BYTES;
  return least + heap_bytes(h) / LAST_PART;
}

static uint32_t least_interval(const heap *h) {
  return h->config.increment_bytes / (h->quarantine.is_on ? CHASE_READ_PART : CHASE_INTERVAL_PART);
}

/* What a pass found was written while the one before it went on.  If steps visit more than that in
   the same time, each pass finds less than the one before it. */
static void set_chase_interval(heap *h) {
  if (h->watch.passes < 2)
    return;
  double each = (double)CHASE_WORDS / CHASE_PAGE_WORDS * SYSTEM_PAGE_BYTES,
         written = (double)h->watch.chased_bytes / (double)(h->watch.last_pass_clock + 1),
         interval = each / written * CHASE_WRITTEN_PERCENT / 100;
  uint32_t least = least_interval(h), most = h->config.increment_bytes;
  bool is_near = h->watch.chased_bytes <= CHASE_NEAR * last_bytes(h);
  h->watch.chase_interval = is_near || interval < least ? least
                            : interval > most           ? most
                                                        : (uint32_t)interval;
}

bool acre_gc_chase_is_vain(const heap *h) {
  return h->watch.vain_passes >= VAIN_PASSES_MAX ||
         h->watch.chased_in_all / CHASED_HEAPS_MAX > heap_bytes(h) + LAST_BYTES;
}

static void count_if_vain(heap *h) {
  size_t last = h->watch.last_chased_bytes;
  bool is_vain = h->watch.passes > 2 && h->watch.chase_interval <= least_interval(h) &&
                 h->watch.chased_bytes > last - last / CHASE_GAIN_PART;
  h->watch.vain_passes = is_vain ? h->watch.vain_passes + 1 : 0;
}

bool acre_gc_chase_is_over(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_CHASE);
  count_if_vain(h);
  if (h->watch.chased_bytes <= last_bytes(h) || acre_gc_chase_is_vain(h))
    return true;
  set_chase_interval(h);
  start_pass(h);
  return false;
}

/* Visits no more than may be visited while the world is stopped. */
static void visit_left(heap *h, uintptr_t start, uintptr_t end) {
  size_t visited = visit_some(h, start, end, h->watch.left_bytes);
  h->watch.left_bytes -= visited < h->watch.left_bytes ? visited : h->watch.left_bytes;
}

static void look(heap *h, uint32_t from, uint32_t until, acre_gc_dirty_visit *visit) {
  if (from < until && h->watch.is_protected && h->watch.left_bytes &&
      !acre_gc_dirty_look(h, address_of(h, from), address_of(h, until), visit))
    lose(h);
}

/* A short range is read as fast as the kernel says what of it was never written. */
static void visit_filled(heap *h, uintptr_t start, uintptr_t end) {
  bool is_long = end - start >= SPARSE_BYTES;
  if (h->watch.left_bytes && !(is_long && acre_gc_dirty_filled(h, start, end, visit_left)))
    visit_left(h, start, end);
}

/* Looks at the list area, without the blocks on which only garbage lies. */
static void look_at_cells(heap *h) {
  uint32_t from = 0, until = 0; /* where the last block ends that is to be looked at */
  for (uint32_t at = 0; at < h->space.list_frontier; at += BLOCK_PAGES) {
    if (h->space.block_epochs[at / BLOCK_PAGES] != (uint8_t)h->cycle.epoch)
      continue;
    if (at - until >= GARBAGE_RUN) {
      look(h, from, until, visit_left);
      from = at;
    }
    until = at + BLOCK_PAGES;
  }
  look(h, from, until < h->space.list_frontier ? until : h->space.list_frontier, visit_left);
}

/* Looks at the big area, without long objects that hold no pointers, or are garbage so far: those
   are searched whole when they are found. */
static void look_at_big(heap *h) {
  uint32_t from = h->space.list_pages, at = from;
  for (unsigned i = 0; i < RUNS_LOOKED_AT && at < h->space.big_frontier; i++) {
    const cell_page *p = &h->space.pages[at];
    uint32_t next =
        at + (p->kind == PAGE_BIG || p->kind == PAGE_FREE || p->kind == PAGE_HOLE ? p->count : 1);
    if (next - at >= LONG_RUN && !is_in_use(h, at)) {
      look(h, from, at, visit_filled);
      from = next;
    }
    at = next;
  }
  look(h, from, h->space.big_frontier, visit_filled);
}

bool acre_gc_rescan_last(heap *h, bool is_bounded) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  h->watch.left_bytes = is_bounded ? 2 * last_bytes(h) : SIZE_MAX;
  look_at_cells(h);
  look_at_big(h);
  if (h->watch.is_protected)
    return h->watch.left_bytes != 0;
  /* Nobody knows what was written. */
  for (uint32_t at = 0; range_at(h, &at) != 0; at++)
    visit_range(h, address_of(h, at), address_of(h, at + 1));
  return true;
}

void acre_gc_release_start(heap *h) {
  ACRE_ASSERT(!is_collecting(h));
  h->watch.is_releasing = h->watch.is_tracked && h->watch.is_protected;
  h->watch.is_protected = false;
  h->watch.visit_page = 0;
}

void acre_gc_release_some(heap *h) {
  ACRE_ASSERT(!is_collecting(h) && h->watch.is_releasing);
  uint32_t end = range_at(h, &h->watch.visit_page), from = h->watch.visit_page,
           last = from + RELEASE_LOOK;
  while (from < end && from < last && !h->space.pages[from].may_be_protected)
    from++;
  uint32_t until = from;
  while (until < end && until - from < RELEASE_PAGES && h->space.pages[until].may_be_protected)
    h->space.pages[until++].may_be_protected = false;
  h->watch.is_releasing =
      end != 0 &&
      (from == until || acre_gc_dirty_release(h, address_of(h, from), address_of(h, until)));
  h->watch.visit_page = until;
}

bool acre_gc_rescan_is_awaited(const heap *h, const void *address) {
  return !h->watch.is_tracked || !h->watch.is_protected || acre_gc_dirty_is_written(address);
}
