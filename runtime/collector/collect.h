/* collect.h - when a collection runs and how far.  Internal. */
#ifndef ACRE_COLLECTOR_COLLECT_H
#define ACRE_COLLECTOR_COLLECT_H

#include "internal.h"

/* Called before each allocation: an increment, or the start of a collection, if it is time. */
void acre_gc_collect_pace_slowly(heap *h);
static inline void collect_set_due(heap *h, uint64_t due) {
  h->due = due;
  h->trigger = due < h->next_sample ? due : h->next_sample;
}
/* Of a heap in which no collection runs. */
static inline uint64_t collect_due_when_idle(const heap *h) {
  if (h->config.collects_each_allocation)
    return 0;
  if (h->growth_min == 0)
    return h->config.is_incremental ? heap_clock(h) : UINT64_MAX;
  /* An incremental collection ends when about half as much as is alive has been allocated. */
  size_t alive = heap_alive(h).cells, grown = h->config.is_incremental ? alive / 2 : alive;
  return heap_clock(h) + (grown > h->growth_min ? grown : h->growth_min);
}
static inline void collect_pace(heap *h) {
  if (heap_clock(h) >= h->trigger)
    acre_gc_collect_pace_slowly(h);
}

/* What was done to find memory for one allocation. */
enum effort { EFFORT_NONE = 0, EFFORT_COLLECTED };
/* Memory is out.  False if nothing is left to try. */
bool acre_gc_collect_for_memory(heap *h, enum effort *effort);

/* An increment of the weak and final phases; true when the table is done.  (weak.c) */
bool acre_gc_weak_some(heap *h, budget *b);
bool acre_gc_final_some(heap *h, budget *b);

/* Pages without an object, in whatever form, that any allocation may use; and those only some may. */
size_t acre_gc_collect_free_pages(const heap *h);

#endif
