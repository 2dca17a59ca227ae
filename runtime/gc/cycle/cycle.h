/* cycle.h - when a collection runs and how far.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_CYCLE_H
#define ACRE_RUNTIME_GC_CYCLE_CYCLE_H

#include "gc/heap/heap.h"

/* Called before each allocation: an increment, or the start of a collection, if it is time. */
void acre_gc_collect_pace_slowly(heap *h);
static inline void collect_set_due(heap *h, uint64_t due) {
  h->pace.due = due;
  h->pace.trigger = due < h->account.next_sample ? due : h->account.next_sample;
}
/* When the next collection starts, or is first asked for: of a heap in which none runs. */
uint64_t acre_gc_collect_due(const heap *h);
/* The heap has been made, or a collection has ended. */
static inline void collect_idle(heap *h) {
  h->pace.start_due = acre_gc_collect_due(h);
  collect_set_due(h, h->pace.start_due);
}
/* The program says that it needs no more of an object: where little of what was alive is left, the
 * next collection starts. */
void acre_gc_collect_freed(heap *h, size_t bytes);
static inline void collect_pace(heap *h) {
  if (heap_clock(h) >= h->pace.trigger)
    acre_gc_collect_pace_slowly(h);
}

/* Does it cost less to collect now than to move the frames of so many pages, and memory then? */
bool acre_gc_collect_instead(const heap *h, size_t pages);

/* What was done to find memory for one allocation. */
enum effort { EFFORT_NONE = 0, EFFORT_COLLECTED };
/* Memory is out.  False if nothing is left to try. */
bool acre_gc_collect_for_memory(heap *h, enum effort *effort);

/* Pages without an object, in whatever form, that any allocation may use; and those only some may.
 */
size_t acre_gc_collect_free_pages(const heap *h);

#endif
