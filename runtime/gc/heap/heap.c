/* SPDX-License-Identifier: MIT */
/* heap.c - what a heap is asked: whether it may be used here, what an address belongs to, totals.
 */
#include "gc/heap/heap.h"

#include "gc/heap/cell.h"
#include "gc/heap/ring.h"
#include "platform/os.h"

void acre_gc_heap_refuse(const acre_heap *head) {
  const heap *h = (const heap *)head;
  if (!h || h->signature != HEAP_SIGNATURE)
    acre_os_fatal("%p is not a heap: deleted, or its memory damaged", (const void *)head);
  acre_os_fatal("heap \"%s\" is used by another thread than the one that made it",
                acre_gc_heap_name(h));
}

const char *acre_gc_heap_name(const heap *h) { return h->config.name; }

/* -- Questions --------------------------------------------------------------------------------- */

static bool object_at(const heap *h, const void *p, object_view *o) {
  cell c;
  if (!find_cell(h, p, &c) || cell_colour(h, &c) == COLOUR_WHITE)
    return false;
  *o = cell_object(h, &c);
  return (const char *)p <= o->start + o->size;
}

void *acre_heap_object_of(const acre_heap *head, const void *p) {
  object_view o;
  return object_at(acre_gc_heap_of(head), p, &o) ? o.start : NULL;
}

size_t acre_heap_object_size(const acre_heap *head, const void *p) {
  object_view o;
  return object_at(acre_gc_heap_of(head), p, &o) ? o.size : 0;
}

const acre_site *acre_heap_object_site(const acre_heap *head, const void *p) {
  object_view o;
  return object_at(acre_gc_heap_of(head), p, &o) ? o.site : NULL;
}

void acre_heap_get_composition(const acre_heap *head, acre_heap_composition *to) {
  const heap *h = acre_gc_heap_of(head);
  /* While a collection runs, what it has not marked yet may still be alive: alive counts all since
   * the last one. */
  const tally alive = heap_alive(h);
  size_t headers = (alive.objects - alive.big_objects) * h->header_size;
  size_t free_pages = h->space.spare.count + h->cells.big_dead_pages + h->space.free_run_pages;
  for (size_t i = 0; i < h->cells.class_count; i++)
    free_pages += h->cells.classes[i].free.count;
  *to = (acre_heap_composition){
      .clock = h->account.made.useful,
      .limit = h->space.limit_pages << ACRE_PAGE_SHIFT,
      .useful = alive.useful,
      .headers = headers,
      .padding = alive.cells - alive.useful - headers,
      .external = (h->space.limit_pages << ACRE_PAGE_SHIFT) - alive.cells,
      .pages = h->space.mapped_pages << ACRE_PAGE_SHIFT,
      .free_pages = free_pages << ACRE_PAGE_SHIFT,
      .metadata =
          h->space.mapped_pages * (sizeof(cell_page) + 2 * BITMAP_WORDS * sizeof(uint64_t)) +
          (h->cells.segments_started << ACRE_PAGE_SHIFT),
  };
}

void acre_heap_get_stats(const acre_heap *head, acre_heap_stats *to) {
  const heap *h = acre_gc_heap_of(head);
  *to = h->account.stats;
  to->allocated_objects = heap_made(h).objects;
  to->allocated_bytes = h->account.made.useful;
  to->live_objects = heap_alive(h).objects;
}
