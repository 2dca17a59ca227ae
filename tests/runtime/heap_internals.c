/* What tests of the collected heap need to know of its inside. */
#include "heap_internals.h"

#include "gc/cycle/thread_cache.h"
#include "gc/heap/cell.h"
#include "gc/heap/heap.h"

void heap_find_stores(acre_heap *h) { ((struct heap *)h)->watch.finds_stores = true; }
bool heap_is_tracked(const acre_heap *h) { return ((const struct heap *)h)->watch.is_tracked; }
void heap_do_at_once(acre_heap *head, size_t foreign_words, size_t at_once_words) {
  struct heap *h = (struct heap *)head;
  h->roots.foreign_words = foreign_words;
  h->pace.at_once_words = at_once_words;
}
void heap_set_last_scanned(acre_heap *h, size_t slots) {
  ((struct heap *)h)->pace.last_scanned = slots;
}
bool heap_found_little_outside(const acre_heap *h) {
  return ((const struct heap *)h)->roots.foreign_size == FOREIGN_LITTLE;
}
unsigned heap_passes(const acre_heap *h) { return ((const struct heap *)h)->watch.passes; }

bool heap_use_runs(acre_heap *head) {
  struct heap *h = (struct heap *)head;
  h->is_free_a_hint = true;
  acre_gc_cache_start(h);
  return h->has_thread_caches &&
         acre_heap_add_roots(head, &acre_gc_own_cache, sizeof acre_gc_own_cache, false);
}

void *heap_take_from_runs(acre_heap *h, size_t size) {
  void *p = acre_gc_cache_take(size, NULL);
  if (!p)
    p = acre_gc_cache_take_slowly(size, NULL, 0);
  return !p && acre_gc_cache_fill((struct heap *)h, size) ? acre_gc_cache_take_slowly(size, NULL, 0)
                                                          : p;
}

bool heap_free_quickly(const acre_heap *h, const void *p) {
  return acre_gc_cache_free((const struct heap *)h, p);
}
void heap_report_freed(acre_heap *h, size_t bytes) {
  acre_gc_cache_report_freed((struct heap *)h, bytes);
}
size_t heap_freed_bytes(const acre_heap *h) { return ((const struct heap *)h)->pace.freed_bytes; }

void heap_know_thread(void) { acre_thread_find_stack(); }

void heap_own_stack(uintptr_t *low, uintptr_t *high) {
  acre_thread_find_stack();
  *low = acre_self.stack_low;
  *high = acre_self.stack_high;
}

heap_step heap_step_of(const acre_heap *h) {
  switch (((const struct heap *)h)->cycle.phase) {
  case PHASE_IDLE:
    return HEAP_STEP_IDLE;
  case PHASE_ROOTS:
    return HEAP_STEP_ROOTS;
  case PHASE_CHASE:
    return HEAP_STEP_CHASE;
  case PHASE_SETTLE:
    return HEAP_STEP_SETTLE;
  default:
    return HEAP_STEP_ENDING;
  }
}
