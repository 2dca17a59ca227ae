/* SPDX-License-Identifier: MIT */
/* roots.c - see roots.h.
 *
 * Invariant while a collection runs: what the scanned part of the protected ranges, the handles,
 * the queue and the frames up to clean_depth refer to is not ecru.  Frames form a list from
 * no_frame up by `above` (that of the newest is not set), with depths 1, 2, ...; `unscanned` is the
 * frame of depth clean_depth + 1.  The newest frame is never clean, because its function assigns
 * its variables freely.  Between collections none is clean.  After longjmp newer frames may be
 * overwritten: pop does not read them.
 */
#include "gc/cycle/roots.h"

#include <string.h>

#include "gc/cycle/foreign_roots.h"
#include "gc/cycle/mark.h"
#include "gc/heap/handles.h"
#include "gc/linux/root_memory.h"
#include "gc/linux/stop_world.h"
#include "platform/check.h"
#include "platform/os.h"

#define RANGES_AT_FIRST 64
/* Words of a range that are marked at a time. */
#define SLICE_WORDS 64

/* -- Ranges ------------------------------------------------------------------------------------ */

static size_t range_pages(size_t capacity) {
  return round_up(capacity * sizeof(root_range), ACRE_WINDOW_PAGE_SIZE) >> ACRE_WINDOW_PAGE_SHIFT;
}

static bool grow_ranges(heap *h) {
  size_t capacity = h->roots.range_capacity ? 2 * h->roots.range_capacity : RANGES_AT_FIRST;
  root_range *ranges = acre_pages_alloc_unzeroed(range_pages(capacity), 0, NULL);
  if (!ranges)
    return false;
  if (h->roots.ranges) {
    memcpy(ranges, h->roots.ranges, h->roots.range_count * sizeof *ranges);
    acre_pages_free(h->roots.ranges, range_pages(h->roots.range_capacity));
  }
  h->roots.ranges = ranges;
  h->roots.range_capacity = capacity;
  return true;
}

bool acre_heap_add_roots(acre_heap *head, const void *start, size_t size, bool is_protected) {
  heap *h = acre_gc_heap_of(head);
  if (h->roots.range_count == h->roots.range_capacity && !grow_ranges(h))
    return false;
  h->roots.ranges[h->roots.range_count++] = (root_range){start, size, is_protected};
  /* Behind what is scanned: seen by this collection if it is still in its roots phase, else its
   * referents are greyed now. */
  if (is_protected && h->cycle.phase > PHASE_ROOTS)
    acre_gc_mark_words(h, start, size);
  return true;
}

void acre_heap_remove_roots(acre_heap *head, const void *start) {
  heap *h = acre_gc_heap_of(head);
  for (size_t i = h->roots.range_count; i-- > 0;)
    if (h->roots.ranges[i].start == start) {
      /* The order stays, so that what is scanned stays a prefix. */
      memmove(&h->roots.ranges[i], &h->roots.ranges[i + 1],
              (--h->roots.range_count - i) * sizeof *h->roots.ranges);
      if (i < h->roots.range_index)
        h->roots.range_index--;
      else if (i == h->roots.range_index)
        h->roots.range_offset = 0;
      return;
    }
  acre_os_fatal("heap \"%s\": no roots begin at %p", acre_gc_heap_name(h), start);
}

static bool scan_ranges(heap *h, budget *b) {
  for (; h->roots.range_index < h->roots.range_count;
       h->roots.range_index++, h->roots.range_offset = 0) {
    const root_range *r = &h->roots.ranges[h->roots.range_index];
    if (!r->is_protected)
      continue;
    while (h->roots.range_offset < r->size) {
      if (b->words == 0)
        return false;
      size_t most = (b->words < SLICE_WORDS ? b->words : SLICE_WORDS) * sizeof(void *),
             left = r->size - h->roots.range_offset;
      size_t bytes = left < most ? left : most;
      /* Slices end where aligned words do. */
      if (bytes < left)
        bytes -= ((uintptr_t)r->start + h->roots.range_offset + bytes) & (sizeof(void *) - 1);
      if (bytes == 0)
        return false;
      acre_gc_mark_words(h, r->start + h->roots.range_offset, bytes);
      h->roots.range_offset += bytes;
      budget_use(b, bytes / sizeof(void *) + 1);
      budget_use_touched(h, b);
    }
    budget_use(b, 1);
  }
  return true;
}

/* -- Frames ------------------------------------------------------------------------------------ */

void acre_heap_pop_slow(acre_heap *head, acre_heap_frame *frame) {
  heap *h = acre_gc_heap_of(head);
  acre_heap_frame *below = frame->below;
  if (!below)
    acre_os_fatal("heap \"%s\": the frame at %p is not pushed", acre_gc_heap_name(h),
                  (void *)frame);
  frame->below = NULL;
  head->newest = below;
  if (h->roots.clean_depth >= below->depth) {
    h->roots.clean_depth = below->depth - 1;
    head->unscanned = below;
  }
}

static void scan_frame(heap *h, const acre_heap_frame *frame) {
  for (size_t i = 0; i < frame->count; i++) {
    void *value;
    memcpy(&value, frame->variables[i], sizeof value);
    mark_value(h, value);
  }
}

/* Scans frames that are not clean and makes them so, up to the newest, exclusive. */
static bool scan_old_frames(heap *h, budget *b) {
  for (acre_heap *head = &h->head; head->unscanned != head->newest;
       head->unscanned = head->unscanned->above, h->roots.clean_depth++) {
    if (b->words == 0)
      return false;
    scan_frame(h, head->unscanned);
    budget_use(b, head->unscanned->count + 1);
    budget_use_touched(h, b);
  }
  return true;
}

/* -- Handles ----------------------------------------------------------------------------------- */

acre_heap_handle *acre_heap_handle_new(acre_heap *head, void *object) {
  heap *h = acre_gc_heap_of(head);
  handle_entry *s = acre_gc_handles_take(&h->roots.handles, object);
  if (s)
    acre_heap_stored(head, object);
  return (acre_heap_handle *)s;
}

void *acre_heap_handle_get(const acre_heap_handle *handle) {
  return ((const handle_entry *)handle)->object;
}

void acre_heap_handle_set(acre_heap *head, acre_heap_handle *handle, void *object) {
  ((handle_entry *)handle)->object = object;
  acre_heap_stored(head, object);
}

void acre_heap_handle_delete(acre_heap *head, acre_heap_handle *handle) {
  if (handle)
    acre_gc_handles_return(&acre_gc_heap_of(head)->roots.handles, (handle_entry *)handle);
}

static bool scan_table(heap *h, const handle_table *t, uint8_t state, budget *b) {
  for (const handle_entry *s; b->words > 0; budget_use(b, 1)) {
    if ((s = acre_gc_handles_next(t, &h->roots.cursor)) == NULL)
      return true;
    if (s->state == state)
      mark_value(h, s->object);
    budget_use_touched(h, b);
  }
  return false;
}

/* -- Phases ------------------------------------------------------------------------------------ */

void acre_gc_roots_forget(heap *h) {
  h->head.unscanned = &h->roots.no_frame;
  h->roots.clean_depth = 0;
}

void acre_gc_roots_start(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS);
  h->roots.range_index = h->roots.range_offset = 0;
  h->roots.step = 0;
  h->roots.cursor = (handle_cursor){0};
  acre_gc_foreign_start(h);
}

bool acre_gc_roots_some(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS);
  const handle_table *tables[] = {&h->roots.handles, &h->roots.finals};
  static const uint8_t states[] = {ENTRY_USED, ENTRY_QUEUED};
  for (; h->roots.step < 2; h->roots.step++, h->roots.cursor = (handle_cursor){0})
    if (!scan_table(h, tables[h->roots.step], states[h->roots.step], b))
      return false;
  return scan_ranges(h, b) && scan_old_frames(h, b);
}

static void mark_memory(const char *start, size_t size, void *context) {
  heap *h = context;
  h->roots.foreign_bytes += size;
  acre_gc_mark_words(h, start, size);
}

/* All of it: what was read in slices does not count any more. */
static void mark_all_memory(heap *h) {
  h->roots.foreign_bytes = 0;
  acre_gc_memory_each(h, mark_memory, h);
}

/* Where the world stays stopped until the end, what was marked from one search is all there is. */
static void scan_memory(heap *h) {
  if (h->cycle.has_snapshot)
    return;
  if (!h->cycle.is_world_stopped)
    acre_gc_world_stop();
  if (!acre_gc_foreign_last(h))
    mark_all_memory(h);
  if (!h->cycle.is_world_stopped)
    acre_gc_world_resume();
  h->cycle.has_snapshot = h->cycle.is_world_stopped;
}

bool acre_gc_roots_at_once(heap *h) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  return acre_gc_memory_some(h, h->roots.foreign_words, mark_memory, h);
}

bool acre_gc_roots_settle(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS || h->cycle.phase == PHASE_SETTLE);
  if (!scan_old_frames(h, b))
    return false;
  scan_frame(h, h->head.newest);
  for (size_t i = 0; i < h->roots.range_count; i++)
    if (!h->roots.ranges[i].is_protected) {
      acre_gc_mark_words(h, h->roots.ranges[i].start, h->roots.ranges[i].size);
      budget_use(b, h->roots.ranges[i].size / sizeof(void *));
    }
  if (h->config.scans_memory)
    scan_memory(h);
  return true;
}

void acre_gc_roots_end(heap *h) {
  acre_gc_foreign_end(h);
  if (h->roots.ranges)
    acre_pages_free(h->roots.ranges, range_pages(h->roots.range_capacity));
  acre_gc_handles_end(&h->roots.handles);
  acre_gc_handles_end(&h->roots.weaks);
  acre_gc_handles_end(&h->roots.finals);
}
