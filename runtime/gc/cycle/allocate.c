/* SPDX-License-Identifier: MIT */
/* allocate.c - allocation: a white cell of the smallest class that fits; where there is none, see
 * refill() and find_run().
 *
 * Invariant: a step that cannot get what it needs changes nothing that the program or the verifier
 * could see; so an allocation that fails leaves the heap as a collection does.
 */
#include "gc/cycle/allocate.h"

#include <string.h>

#include "gc/cycle/fill.h"
#include "gc/cycle/pace.h"
#include "gc/cycle/rescan.h"
#include "gc/heap/bitmap.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "gc/trace/event.h"
#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

/* Bytes; where it is larger nothing is lost. */
#define SYSTEM_PAGE 4096
/* Dead big objects that become runs at each allocation of a big object. */
#define REAP_STEP 4
/* Runs of owed frames that go back at each allocation that needs a page. */
#define REPAY_STEP 2
/* Until this part of the limit has been allocated since a collection started, larger cells are
 * taken before the next collection. */
#define BORROWED_PART 8

/* -- Cells ------------------------------------------------------------------------------------- */

/* The cell size that fits need bytes: its class; class_count if there is none. */
static size_t class_for(const heap *h, size_t need) {
  if (need <= CELL_MAX)
    return need <= h->cells.classes[h->cells.class_count - 1].size ? h->cells.class_of[need / 8]
                                                                   : h->cells.class_count;
  size_t class = 0;
  while (class < h->cells.class_count && h->cells.classes[class].size < need)
    class++;
  return class;
}

bool acre_gc_cell_is_dearer(const heap *h, size_t class, size_t size) {
  return h->watch.finds_stores && class < h->cells.class_count &&
         h->cells.classes[class].cells == 1 && size <= SYSTEM_PAGE;
}

/* Packed headers: white cells of the class in another segment. */
static bool turn_to_segment(heap *h, size_t class) {
  cell_class *c = &h->cells.classes[class];
  for (size_t i = 1; i < h->cells.segments_started; i++) {
    size_t segment = (c->segment + i) % h->cells.segments_started;
    if (ring_at(h, segment, class)->white_count) {
      c->segment = segment;
      return true;
    }
  }
  return false;
}

static uint32_t take_page(heap *h, bool may_move) {
  uint32_t index = acre_gc_space_take_spare(h);
  if (!index && h->config.uses_migration && (index = acre_gc_page_migrate(h)) != 0)
    event_send(h, ACRE_HEAP_EVENT_MIGRATE, 1);
  if (!index)
    index = acre_gc_space_take_new(h, 1);
  if (!index && h->config.remap && may_move) {
    acre_gc_big_reap(h, REAP_STEP);
    if ((index = acre_gc_space_take_moved(h)) != 0)
      event_send(h, ACRE_HEAP_EVENT_REMAP, 1);
  }
  return index;
}

/* White cells for class without a collection; false if there is no way. */
static bool refill(heap *h, size_t class, bool may_move) {
  uint32_t page_count = h->cells.classes[class].page_count, index;
  acre_gc_space_repay(h, REPAY_STEP);
  if (turn_to_segment(h, class))
    return true;
  if (h->config.fill == ACRE_HEAP_FILL_EAGER && acre_gc_gap_fill(h, class, false))
    return true;
  if ((index = page_count == 1 ? take_page(h, may_move) : acre_gc_space_take_new(h, page_count)) !=
      0) {
    acre_gc_page_carve(h, index, class);
    return true;
  }
  return h->config.fill == ACRE_HEAP_FILL_LAST && acre_gc_gap_fill(h, class, false);
}

static bool has_white(heap *h, size_t class) {
  if (!h->cells.segments_started)
    return false;
  const ring *r = ring_at(h, h->cells.classes[class].segment, class);
  return r->white_count || r->quick_white || r->quick_next != r->quick_end;
}

bool acre_gc_cells_refill(heap *h, size_t class) {
  ACRE_ASSERT(class < h->cells.class_count);
  if (has_white(h, class))
    return true;
  uint64_t begin = event_begin(h);
  bool is_there = refill(h, class, true);
  event_end(h, ACRE_HEAP_EVENT_ALLOCATE, begin, h->cells.classes[class].size);
  return is_there;
}

/* Without links: *class becomes the next larger one with white cells.  False if there is none. */
static bool borrow(heap *h, size_t *class) {
  for (size_t larger = *class + 1; larger < h->cells.class_count && h->uses_bitmaps; larger++)
    if (has_white(h, larger)) {
      *class = larger;
      return true;
    }
  return false;
}

/* Would a collection come so soon after the last one that larger cells are cheaper? */
static bool would_be_too_soon(const heap *h) {
  return is_collecting(h) || heap_clock(h) - h->pace.cycle_clock <
                                 (h->space.limit_pages << ACRE_PAGE_SHIFT) / BORROWED_PART;
}

/* White cells for *class or, where no page is to be had, a larger one, whatever it takes. */
static bool refill_at_any_cost(heap *h, size_t *class) {
  enum effort effort = EFFORT_NONE;
  if (refill(h, *class, !acre_gc_pace_collects_instead(h, 1)) ||
      (would_be_too_soon(h) && borrow(h, class)))
    return true;
  while (acre_gc_pace_find_memory(h, &effort))
    if (has_white(h, *class) || refill(h, *class, true))
      return true;
  return borrow(h, class) || (h->config.fill && acre_gc_gap_fill(h, *class, true));
}

/* -- Big objects ------------------------------------------------------------------------------- */

void acre_gc_big_reap(heap *h, size_t objects) {
  for (; objects > 0 && h->cells.big.white_count; objects--) {
    acre_ref first = ring_next(&h->cells.big, h->cells.big.sentinel);
    uint32_t count = h->space.pages[first].count;
    ring_remove_white(&h->cells.big, first);
    h->cells.big_dead_pages -= count;
    if (h->space.pages[first].is_returned)
      acre_gc_space_add_returned(h, first, count);
    else
      acre_gc_space_add_free(h, first, count);
  }
}

/* Makes frames of free pages of any kind available until there are count. */
static bool has_frames(heap *h, uint32_t count) {
  while (space_available(h) < count) {
    uint32_t index;
    if (h->cells.big.white_count)
      acre_gc_big_reap(h, 1);
    else if (h->config.uses_migration && (index = acre_gc_page_migrate(h)) != 0)
      acre_gc_space_add_spare(h, index);
    else
      return false;
  }
  return true;
}

static uint32_t find_run(heap *h, uint32_t count, bool is_full, bool may_move, bool *is_clean) {
  uint32_t first;
  acre_gc_big_reap(h, REAP_STEP);
  acre_gc_space_repay(h, REPAY_STEP);
  while ((first = acre_gc_space_take_run(h, count, is_full, is_clean)) == 0 &&
         h->cells.big.white_count)
    acre_gc_big_reap(h, 1);
  if (!first && h->config.remap && may_move && has_frames(h, count) &&
      (first = acre_gc_space_gather_run(h, count, is_full, is_clean)) != 0)
    event_send(h, ACRE_HEAP_EVENT_REMAP, count);
  return first;
}

static uint32_t find_run_at_any_cost(heap *h, uint32_t count, bool is_full, bool *is_clean) {
  enum effort effort = EFFORT_NONE;
  uint32_t first = find_run(h, count, is_full, !acre_gc_pace_collects_instead(h, count), is_clean);
  while (!first && acre_gc_pace_find_memory(h, &effort))
    first = find_run(h, count, is_full, true, is_clean);
  return first;
}

/* -- Objects ----------------------------------------------------------------------------------- */

/* The number under which the packed format stores site; false if the tables are full. */
static bool number_site(heap *h, const acre_site *site, uint64_t *number) {
  size_t mask = 2 * SITE_MAX - 1,
         at = ((uintptr_t)site >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 47 & mask;
  for (; h->cells.site_table[at]; at = (at + 1) & mask)
    if (h->cells.sites[h->cells.site_table[at]] == site) {
      *number = h->cells.site_table[at];
      return true;
    }
  if (h->cells.site_count + 1 == SITE_MAX)
    return false;
  h->cells.sites[++h->cells.site_count] = site;
  h->cells.site_table[at] = h->cells.site_count;
  *number = h->cells.site_count;
  return true;
}

static void count_object(heap *h, const cell *c, size_t size) {
  size_t bytes = cell_bytes(h, c);
  if (h->uses_bitmaps && !c->is_big)
    h->account.made.useful += size; /* the rest with its word: bitmap.h */
  else
    tally_add(&h->account.made, c->is_big, size, bytes);
  h->account.profile[profile_index(size)]++;
  page_touch(h, c->page);
  bit_set(page_now(h, c->page), c->bit);
}

/* A white cell of a class that has one.  Not inlined: a collection searches the frames of those who
   call it, and the addresses that are left here would keep objects. */
static __attribute__((noinline)) void *make_object(heap *h, size_t class, size_t size, size_t align,
                                                   uint64_t site) {
  ring *r = ring_at(h, h->cells.classes[class].segment, class);
  char *start = h->uses_bitmaps ? acre_gc_bitmap_take(h, class) : ring_cell(r, ring_take(r)),
       *payload = start + h->header_size;
  cell c;
  uint32_t index = page_index(h, start);
  size_t cell_size = h->cells.classes[class].size,
         shift = (size_t)(-(uintptr_t)payload & (align - 1));
  bool is_large = h->cells.classes[class].page_count > 1;
  fill_cell(h, &c, index, (size_t)(start - page_address(h, index)), is_large ? 0 : cell_size,
            (uint16_t)class);
  if (h->is_checked)
    acre_sanitizer_allow(payload, shift + size);
  size_t padding = is_large ? 0 : cell_size - h->header_size - shift - size;
  if (is_large)
    h->space.pages[index].size = size;
  header_write(h, start, cell_size, site, padding, shift ? OBJECT_ALIGNED : 0);
  if (shift)
    memcpy(payload, &shift, sizeof shift);
  count_object(h, &c, size);
  if (!h->uses_bitmaps) {
    r->quick_page = page_address(h, index); /* count_object has brought it up to date */
    r->quick_bits = page_now(h, index);
  }
  return class < h->cells.cleared_classes ? payload + shift : memset(payload + shift, 0, size);
}

static void *alloc_cell(heap *h, size_t class, size_t size, size_t align, const acre_site *site) {
  uint64_t number = (uintptr_t)site;
  if (h->is_packed && site && !number_site(h, site, &number))
    number = 0; /* more sites than can be told apart: an object of unknown layout */
  if (!has_white(h, class) && !refill_at_any_cost(h, &class))
    return NULL;
  return make_object(h, class, size, align, number);
}

static void *alloc_big(heap *h, size_t size, const acre_site *site) {
  /* A byte to spare keeps pointers one past the end inside; behind a full object nothing starts. */
  bool is_full = size % ACRE_PAGE_SIZE == 0, is_clean;
  size_t count = (size + ACRE_PAGE_SIZE - is_full) >> ACRE_PAGE_SHIFT;
  size_t most = h->config.when_behind == ACRE_HEAP_BEHIND_GROW
                    ? h->config.limit_max >> ACRE_PAGE_SHIFT
                    : h->space.limit_pages;
  if (count > most)
    return NULL;
  uint32_t first = find_run_at_any_cost(h, (uint32_t)count, is_full, &is_clean);
  if (!first)
    return NULL;
  cell_page *p = &h->space.pages[first];
  p->size = size;
  p->site = site;
  p->flags = 0;
  p->is_returned = p->was_found = false;
  p->epoch = 0;
  ring_add_white(&h->cells.big, first, first, 1);
  ring_take(&h->cells.big);
  p->has_pointers = !acre_site_has_no_pointers(site);
  h->cells.big_used_pages += count;
  h->cells.big_used_work += big_work(p);
  count_object(h, &(cell){.start = page_address(h, first), .page = first, .is_big = true}, size);
  if (h->is_checked)
    acre_sanitizer_define(page_address(h, first), size);
  if (is_clean)
    return page_address(h, first);
  if (h->cells.defers_clearing && !may_be_sparse(h, size)) {
    acre_gc_release_run(h, first);
    h->cells.deferred = size;
  } else {
    acre_gc_clear_run(h, first, size);
  }
  return page_address(h, first);
}

static void *try_alloc(heap *h, size_t size, size_t align, const acre_site *site) {
  if (align == 0 || (align & (align - 1)) != 0 || align > ACRE_PAGE_SIZE)
    acre_os_fatal("heap \"%s\": alignment %zu is not a power of two up to %zu",
                  acre_gc_heap_name(h), align, ACRE_PAGE_SIZE);
  if (size > h->config.limit_max)
    return NULL;
  pace_allocation(h);
  size_t slack = align > h->natural_align ? align - h->natural_align : 0;
  size_t need = round_up(h->header_size + (size ? size : 1) + slack, 8);
  need = need < h->cells.classes[0].size ? h->cells.classes[0].size : need;
  size_t class = class_for(h, need);
  void *p = NULL;
  uint64_t begin = event_begin(h);
  if (class < h->cells.class_count && !acre_gc_cell_is_dearer(h, class, size))
    p = alloc_cell(h, class, size, align, site);
  else if (h->config.uses_big_objects)
    p = alloc_big(h, size, site);
  event_end(h, ACRE_HEAP_EVENT_ALLOCATE, begin, size);
  if (!p)
    event_send(h, ACRE_HEAP_EVENT_OUT_OF_MEMORY, size);
  return p;
}

/* -- Quick allocation -------------------------------------------------------------------------- */

typedef void *allocate_function(acre_heap *head, size_t size, size_t align, const acre_site *site);

/* Out of line, so that the others need no registers saved. */
static __attribute__((noinline)) void *clear_many(char *p, size_t words) {
  return memset(p, 0, words * 8);
}

/* Clears as many words, or one if that is more, and returns p. */
static inline void *clear_words(char *p, size_t words) {
  if (words > 4)
    return clear_many(p, words);
  memset(p, 0, 8);
  if (words > 1)
    memset(p + words * 8 - 8, 0, 8);
  if (words > 2)
    memset(p + 8, 0, 16);
  return p;
}

/* *found is a white cell of a class with links, where it is where the last one was; else false. */
static inline bool take_linked(heap *h, ring *r, char **found) {
  if (__builtin_expect(r->white_count == 0 || heap_clock(h) >= h->pace.trigger, 0))
    return false;
  /* Both formats that get here have all of the link in the low half of the second word. */
  acre_ref ref;
  memcpy(&ref, ring_cell(r, r->black) + h->second_link, sizeof ref);
  char *start = ring_cell(r, ref);
  size_t offset = (size_t)(start - r->quick_page);
  if (__builtin_expect(offset >= ACRE_PAGE_SIZE, 0))
    return false;
  r->black = ref;
  r->white_count--;
  bit_set(r->quick_bits, (uint32_t)(offset / CELL_MIN));
  h->account.made.objects++;
  h->account.made.cells += r->cell_size;
  *found = start;
  return true;
}

/* The object, of so many words, in a cell that was taken. */
static inline __attribute__((always_inline)) char *
make_quickly(heap *h, char *start, size_t cell_size, size_t header_size, size_t size, size_t words,
             const acre_site *site) {
  h->account.profile[words]++;
  h->account.made.useful += size;
  char *payload = start + header_size;
  uint64_t padding = cell_size - header_size - size;
  ((uint64_t *)payload)[-1] = (uintptr_t)site | padding << INFO_PADDING_SHIFT;
  return payload;
}

/* These are not inlined, so that the others need no registers saved. */

static __attribute__((noinline)) void *alloc_linked_quickly(heap *h, ring *r, size_t size,
                                                            const acre_site *site, size_t words,
                                                            allocate_function *slowly) {
  char *start;
  if (__builtin_expect(!take_linked(h, r, &start), 0))
    return slowly(&h->head, size, 1, site);
  return clear_words(make_quickly(h, start, r->cell_size, h->header_size, size, words, site),
                     words);
}

/* What is due is seen to between two words of a bitmap. */
static __attribute__((noinline)) void *alloc_of_next_range(heap *h, ring *r, size_t size,
                                                           const acre_site *site, size_t words,
                                                           allocate_function *slowly) {
  if (!r->quick_white)
    return slowly(&h->head, size, 1, site);
  acre_gc_bitmap_open_range(h, r);
  return make_quickly(h, bitmap_take_quickly(r), r->cell_size, sizeof(uint64_t), size, words, site);
}

/* alloc_cell, where no step of it needs more than a few instructions: the heap is the caller's,
   nothing is due, the class has a white cell, and it is where the last one was.  Otherwise slowly,
   with nothing changed. */
static inline __attribute__((always_inline)) void *alloc_quickly(acre_heap *head, size_t size,
                                                                 size_t align,
                                                                 const acre_site *site,
                                                                 allocate_function *slowly) {
  heap *h = (heap *)head;
  if (__builtin_expect(!h || h->thread != acre_self.id || size > QUICK_WORDS * 8 || align > 16 ||
                           !(h->cells.quick_aligns >> align & 1),
                       0))
    return slowly(head, size, align, site);
  size_t words = (size + 7) / 8;
  ring *r = h->cells.quick_rings[words];
  /* Every object has any alignment that gets here. */
  if (__builtin_expect(r->quick_next == r->quick_end, 0))
    return (h->uses_bitmaps ? alloc_of_next_range : alloc_linked_quickly)(h, r, size, site, words,
                                                                          slowly);
  return make_quickly(h, bitmap_take_quickly(r), r->cell_size, sizeof(uint64_t), size, words, site);
}

/* -- Entry points ------------------------------------------------------------------------------ */

/* Asks the heap's out_of_memory function whether to try again; aborts if it says no. */
static void out_of_memory(heap *h, size_t size) {
  const acre_heap_config *c = &h->config;
  if (c->out_of_memory && c->out_of_memory(&h->head, size, c->context))
    return;
  acre_os_fatal("heap \"%s\": out of memory: %zu bytes wanted, %zu in objects, limit %zu",
                acre_gc_heap_name(h), size, heap_alive(h).useful,
                h->space.limit_pages << ACRE_PAGE_SHIFT);
}

static __attribute__((noinline)) void *try_alloc_slowly(acre_heap *head, size_t size, size_t align,
                                                        const acre_site *site) {
  return try_alloc(acre_gc_heap_of(head), size, align, site);
}

void *acre_heap_try_alloc(acre_heap *head, size_t size, size_t align, const acre_site *site) {
  return alloc_quickly(head, size, align, site, try_alloc_slowly);
}

void *acre_gc_alloc_uncleared(heap *h, size_t size, size_t align, const acre_site *site,
                              size_t *uncleared) {
  h->cells.defers_clearing = true;
  void *p = acre_heap_try_alloc(&h->head, size, align, site);
  *uncleared = h->cells.deferred;
  h->cells.defers_clearing = false;
  h->cells.deferred = 0;
  return p;
}

static __attribute__((noinline)) void *alloc_slowly(acre_heap *head, size_t size, size_t align,
                                                    const acre_site *site) {
  for (heap *h = acre_gc_heap_of(head);;) {
    void *p = try_alloc(h, size, align, site);
    if (p)
      return p;
    out_of_memory(h, size);
  }
}

void *acre_heap_alloc(acre_heap *head, size_t size, size_t align, const acre_site *site) {
  return alloc_quickly(head, size, align, site, alloc_slowly);
}

void *acre_heap_try_alloc_array(acre_heap *head, size_t count, size_t size, size_t align,
                                const acre_site *site) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes)
             ? NULL
             : acre_heap_try_alloc(head, bytes, align, site);
}

void *acre_heap_alloc_array(acre_heap *head, size_t count, size_t size, size_t align,
                            const acre_site *site) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    acre_os_fatal("heap \"%s\": out of memory: an array of %zu elements of %zu bytes is larger "
                  "than the address space",
                  acre_gc_heap_name(acre_gc_heap_of(head)), count, size);
  return acre_heap_alloc(head, bytes, align, site);
}

/* What acre_heap_alloc_bytes allocates. */
static const acre_type bytes_type = {.name = "bytes", .size = 1, .align = 1};
static const acre_site bytes_site = {.type = &bytes_type};

void *acre_heap_try_alloc_bytes(acre_heap *head, size_t size) {
  return acre_heap_try_alloc(head, size, acre_gc_heap_of(head)->natural_align, &bytes_site);
}

void *acre_heap_alloc_bytes(acre_heap *head, size_t size) {
  return acre_heap_alloc(head, size, acre_gc_heap_of(head)->natural_align, &bytes_site);
}
