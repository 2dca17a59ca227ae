/* SPDX-License-Identifier: MIT */
/* pace.h - when a collection starts, how fast it goes, and what happens when it is late.  Internal.
 *
 * One function for each policy:
 *   when it starts   start_by_free_memory, of a heap with a limit; acre_gc_pace_be_idle, of one
 *                    that grows; acre_gc_pace_freed, where little of what was alive is left;
 *                    later where it would exceed the budget: postpones_start
 *   how fast         set_ratio; step_in_time
 *   when it is late  is_falling_behind, predict
 *   out of memory    acre_gc_pace_find_memory, acre_gc_pace_collects_instead
 *   how large        set_goal, shrink
 *
 * docs/design/collector/pace.md has the reasons.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_PACE_H
#define ACRE_RUNTIME_GC_CYCLE_PACE_H

#include "gc/heap/heap.h"

/* Called before each allocation: a step, or the start of a collection, if it is time.  Needs the
 * clock to have come to pace.trigger. */
void acre_gc_pace_slowly(heap *h);
static inline void pace_allocation(heap *h) {
  if (heap_clock(h) >= h->pace.trigger)
    acre_gc_pace_slowly(h);
}

/* The pace is looked at again when the clock is at due. */
static inline void pace_set_due(heap *h, uint64_t due) {
  h->pace.due = due;
  h->pace.trigger = due < h->account.next_sample ? due : h->account.next_sample;
}

/* The heap has been made, or a collection has ended: when the next one starts, or is first asked
   for.  Needs a heap in which none runs. */
void acre_gc_pace_be_idle(heap *h);

/* A collection has started, and all that is allocated is ecru. */
void acre_gc_pace_start(heap *h);
/* It has ended, and what is alive is known. */
void acre_gc_pace_finish(heap *h);

/* The program says that it needs no more of an object: where little of what was alive is left, the
 * next collection starts. */
void acre_gc_pace_freed(heap *h, size_t bytes);

/* So many bytes were freed.  A heap with a quarantine goes on with the collection that runs, and
 * with what follows one: a program that only frees, and writes to what it goes by, is not to meet
 * pages that are protected. */
void acre_gc_pace_after_free(heap *h, size_t bytes);

/* Does it cost less to collect now than to move the frames of so many pages, and memory then? */
bool acre_gc_pace_collects_instead(const heap *h, size_t pages);

/* What was done to find memory for one allocation. */
enum effort { EFFORT_NONE = 0, EFFORT_COLLECTED };
/* Memory is out.  False if nothing is left to try. */
bool acre_gc_pace_find_memory(heap *h, enum effort *effort);

#endif
