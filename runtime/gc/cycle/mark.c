/* SPDX-License-Identifier: MIT */
/* mark.c - see mark.h.
 *
 * Invariant: while a collection runs, a ring with grey cells is in grey_rings; and the slots of
 * heap->cycle.scan.object from heap->cycle.scan on are the only ones of a black object that may
 * hold pointers to ecru objects.
 */
#include "gc/cycle/mark.h"

#include <string.h>

#include "gc/cycle/mark_bitmap.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/rescan.h"
#include "gc/cycle/thread_cache.h"
#include "gc/heap/bitmap.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/trace/event.h"
#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

#define WORDS_AHEAD 8
/* Without links so many words are visited before it is asked whether the increment is over. */
#define WORDS_TOGETHER 32

static void report_freed(heap *h, const object_view *o) {
  if (h->is_free_a_hint)
    return;
  if (h->account.is_traced)
    acre_gc_event_send_slowly(h, &(acre_heap_event){.kind = ACRE_HEAP_EVENT_FREED_IN_USE,
                                                    .object = o->start,
                                                    .amount = o->size,
                                                    .holder = h->cycle.holder});
  if (h->config.trace)
    return;
  acre_os_print(2, "acre: heap \"%s\": the object of %zu bytes at %p", acre_gc_heap_name(h),
                o->size, (void *)o->start);
  if (o->site && o->site->file)
    acre_os_print(2, ", allocated at %s:%u,", o->site->file, o->site->line);
  acre_os_print(2, " was freed but is still referred to by ");
  if (!h->cycle.holder)
    acre_os_print(2, "a root\n");
  else if (h->cycle.scan.type)
    acre_os_print(2, "the %s at %p\n", h->cycle.scan.type->name, h->cycle.holder);
  else
    acre_os_print(2, "the object at %p\n", h->cycle.holder);
}

void acre_gc_mark_freed(heap *h, const cell *c) {
  object_view o = cell_object(h, c);
  if (o.flags & OBJECT_FREED) {
    report_freed(h, &o);
    if (!h->keeps_freed)
      cell_change_flags(h, c, OBJECT_FREED, 0);
  }
}

void acre_gc_mark_slowly(heap *h, const void *value) {
  ACRE_ASSERT(is_collecting(h));
  if (h->is_checked) /* a word that was never set may look like an address */
    acre_sanitizer_define(&value, sizeof value);
  if (!h->uses_bitmaps || !acre_gc_bitmap_mark(h, value))
    acre_gc_mark_linked(h, value);
}

void acre_gc_mark_linked(heap *h, const void *value) {
  cell c;
  if (!find_cell(h, value, &c))
    return;
  enum colour colour = cell_colour(h, &c);
  if (c.is_big && colour == COLOUR_MARKED) {
    h->cycle.marked_big = c.start;
    h->cycle.marked_big_bytes = cell_bytes(h, &c);
  }
  if (colour != COLOUR_ECRU)
    return;
  if (h->quarantine.is_on) {
    acre_gc_quarantine_found_big(h, &c);
    if (cell_flags(h, &c) & OBJECT_FREED)
      acre_gc_mark_freed(h, &c);
    return;
  }
  page_touch(h, c.page);
  bit_set(page_now(h, c.page), c.bit);
  ring *r = cell_ring(h, &c);
  object_view o = cell_object(h, &c);
  size_t bytes = cell_bytes(h, &c);
  tally_add(&h->account.marked_less_made, c.is_big, o.size, bytes);
  if (!c.is_big)
    h->pace.cycle_marked += bytes;
  else if (!h->space.pages[c.page].has_pointers ||
           !may_be_sparse(h, o.size)) /* else what is filled counts, when it is scanned */
    h->pace.cycle_marked += big_work(&h->space.pages[c.page]) << ACRE_PAGE_SHIFT;
  h->account.stats.marked_objects++;
  h->account.stats.marked_bytes += bytes;
  if (c.is_big) {
    h->cells.big_ecru_pages -= h->space.pages[c.page].count;
    h->cells.big_used_pages += h->space.pages[c.page].count;
    h->cells.big_ecru_work -= big_work(&h->space.pages[c.page]);
    h->cells.big_used_work += big_work(&h->space.pages[c.page]);
  }
  if (o.flags & OBJECT_FREED)
    acre_gc_mark_freed(h, &c);
  if (acre_site_has_no_pointers(o.site)) {
    ring_blacken(r, cell_ref(r, &c));
    return;
  }
  ring_grey(r, cell_ref(r, &c));
  h->space.pages[c.page].is_grey |= c.is_big;
  if (!r->has_grey) {
    r->has_grey = true;
    r->next_grey = h->cycle.grey_rings;
    h->cycle.grey_rings = r;
  }
}

/* One after the other, so that a report can say which word refers to a freed object. */
static void mark_words_in_place(heap *h, const char *start, const char *end) {
  const char *at = start + (-(uintptr_t)start & (sizeof(void *) - 1));
  for (; at + sizeof(void *) <= end; at += sizeof(void *)) {
    found_values f = {.count = 0};
    h->cycle.place = at;
    acre_gc_bitmap_mark_words(h, &f, at, at + sizeof(void *));
    acre_gc_bitmap_mark_found(h, &f);
  }
  h->cycle.place = NULL;
}

__attribute__((no_sanitize("address"))) /* stacks and poisoned padding may be in a range of roots */
void acre_gc_mark_words(heap *h, const char *start, size_t size) {
  ACRE_ASSERT(is_collecting(h));
  if (h->uses_bitmaps && h->cells.has_freed && h->cycle.is_world_stopped) {
    mark_words_in_place(h, start, start + size);
    return;
  }
  if (h->uses_bitmaps) {
    found_values f = {.count = 0};
    acre_gc_bitmap_mark_words(h, &f, start, start + size);
    acre_gc_bitmap_mark_found(h, &f);
    return;
  }
  size_t before = -(uintptr_t)start & (sizeof(void *) - 1);
  if (size < before)
    return;
  void *const *word = (void *const *)(start + before);
  for (size_t i = 0; i < (size - before) / sizeof *word; i++)
    mark_value(h, word[i]);
}

/* -- Scanning ---------------------------------------------------------------------------------- */

static void mark_taken(void *context, const void *object) { mark_value(context, object); }

void acre_gc_mark_start_scan(heap *h, const object_view *o) {
  ACRE_ASSERT(!h->cycle.scan.object);
  if (__builtin_expect(o->site == &acre_gc_cache_site, 0))
    acre_gc_cache_each((const acre_gc_thread_cache *)o->start, true, mark_taken, h);
  h->cycle.scan =
      (scan){.object = o->start, .size = o->size, .type = o->site ? o->site->type : NULL};
}

/* Has the increment marked what it should, or visited what it may?  Asked in the middle of objects
   too: an array of pointers would have an increment mark as many objects as it may visit slots. */
static bool is_share_done(const heap *h, const budget *b) {
  return b->words == 0 || h->pace.cycle_marked > b->marked_until;
}

/* Visits slots of a run from scan.index on.  True when the run is done. */
static bool scan_run(heap *h, const acre_slot *run, budget *b) {
  scan *s = &h->cycle.scan;
  size_t offset = s->base + run->offset + (size_t)s->index * run->stride;
  for (; s->index < run->count && offset + sizeof(void *) <= s->size;
       s->index++, offset += run->stride) {
    void *value;
    if (is_share_done(h, b))
      return false;
    b->words--;
    memcpy(&value, s->object + offset, sizeof value);
    mark_value(h, value);
    budget_use_touched(h, b);
  }
  s->index = 0;
  return true;
}

/* An object by its descriptor: runs up to flexible_first once if there is a flexible member, else
   all for each element of an array; then the flexible ones for each element of the member. */
static bool scan_typed(heap *h, budget *b) {
  scan *s = &h->cycle.scan;
  const acre_type *t = s->type;
  for (;;) {
    bool is_fixed = t->flexible_stride && s->run < t->flexible_first;
    uint32_t last = is_fixed ? t->flexible_first : t->slot_count;
    for (; s->run < last; s->run++)
      if (!scan_run(h, &t->slots[s->run], b))
        return false;
    if (is_fixed)
      continue;
    size_t stride = t->flexible_stride ? t->flexible_stride : t->size;
    s->base += stride;
    budget_use(b, 1);
    if (stride == 0 || s->base >= s->size ||
        (t->flexible_stride && t->flexible_first == t->slot_count))
      return true;
    s->run = t->flexible_stride ? t->flexible_first : 0;
  }
}

/* What tells the colour of the object that value may point to is fetched. */
static inline void prefetch_colour(const heap *h, const void *value) {
  if ((size_t)((const char *)value - h->space.base) < h->space.bytes) {
    uint32_t index = page_index(h, value);
    __builtin_prefetch(&h->space.pages[index]);
    __builtin_prefetch(page_now(h, index));
    __builtin_prefetch(page_before(h, index));
  }
}

static bool has_only_pointers(const acre_type *t) {
  return !t || (t->slot_count == 1 && !t->flexible_stride && t->slots->offset == 0 &&
                t->slots->stride == sizeof(void *) && t->slots->count * sizeof(void *) == t->size);
}

/* All words of an object are visited.  Those of an array refer to objects all over the heap. */
static bool scan_words(heap *h, budget *b) {
  scan *s = &h->cycle.scan;
  size_t words = s->size / sizeof(void *);
  for (size_t at = s->base / sizeof(void *); at < words; s->base += sizeof(void *), at++) {
    void *value;
    if (is_share_done(h, b))
      return false;
    b->words--;
    if (at + WORDS_AHEAD < words) {
      memcpy(&value, s->object + s->base + WORDS_AHEAD * sizeof value, sizeof value);
      prefetch_colour(h, value);
    }
    memcpy(&value, s->object + s->base, sizeof value);
    mark_value(h, value);
    budget_use_touched(h, b);
  }
  return true;
}

/* The same without links: what is found is marked together. */
static bool scan_words_together(heap *h, budget *b) {
  scan *s = &h->cycle.scan;
  size_t end = s->size & ~(sizeof(void *) - 1);
  found_values f = {.count = 0};
  for (;;) {
    if (s->base >= s->filled && s->base < end)
      acre_gc_pass_unfilled(h, b);
    if (s->base >= end || is_share_done(h, b))
      break;
    size_t left = (s->filled < end ? s->filled : end) - s->base;
    size_t bytes = left < WORDS_TOGETHER * sizeof(void *) ? left : WORDS_TOGETHER * sizeof(void *);
    const char *start = s->object + s->base;
    size_t found = acre_gc_bitmap_mark_words(h, &f, start, start + bytes);
    s->base += bytes;
    budget_use(b, slots_of(bytes / sizeof(void *), found));
    budget_use_touched(h, b);
  }
  acre_gc_bitmap_mark_found(h, &f);
  return s->base >= end;
}

static bool scan_untyped(heap *h, budget *b) {
  return h->uses_bitmaps ? scan_words_together(h, b) : scan_words(h, b);
}

/* The next grey object of a ring, black from now on.  False if there is none. */
static bool take_grey(heap *h) {
  ring *r = h->cycle.grey_rings;
  while (r && r->grey_count == 0) {
    h->cycle.grey_rings = r->next_grey;
    r->has_grey = false;
    r = h->cycle.grey_rings;
  }
  if (!r)
    return false;
  cell c = cell_at(h, r, ring_scan(r));
  object_view o = cell_object(h, &c);
  h->space.pages[c.page].is_grey &= !c.is_big;
  acre_gc_mark_start_scan(h, &o);
  return true;
}

bool acre_gc_mark_some(heap *h, budget *b) {
  ACRE_ASSERT(is_collecting(h));
  for (;;) {
    if (!h->cycle.scan.object)
      acre_gc_bitmap_scan(h, b);
    if (!h->cycle.scan.object && (h->cycle.grey_first || b->objects == 0 ||
                                  h->pace.cycle_marked > b->marked_until || !take_grey(h)))
      return !has_grey(h);
    if (is_share_done(h, b) || (h->watch.is_protected && !acre_gc_protect_scanned(h, b)))
      return false;
    h->cycle.holder = h->cycle.scan.object;
    bool is_done = has_only_pointers(h->cycle.scan.type) ? scan_untyped(h, b) : scan_typed(h, b);
    h->cycle.holder = NULL;
    if (!is_done)
      return false;
    h->cycle.scan.object = NULL;
    budget_use(b, 1);
    b->objects -= b->objects > 0;
  }
}
