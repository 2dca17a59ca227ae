/* SPDX-License-Identifier: MIT */
/* heap_pace.h - when the heap collects and how fast: clocks, goals, what the last collection took.
 * Internal.
 *
 * The clock is the bytes of cells allocated, ever (heap_clock).  cycle_... are of this collection
 * or the last one, last_... of the one that ended last.
 *
 * Invariant: trigger is the lower of due and the next sample of the trace, and nothing is due
 * before it.  goal_pages is not less than last_goal_pages, which the last collection set, but while
 * the heap shrinks.  Changed by pace.c; what was done is counted where it is done.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_PACE_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heap_pace {
  uint64_t trigger;   /* when either a step or the next sample for a trace is due */
  uint64_t due;       /* by the clock: when the pace is looked at again */
  uint64_t debt;      /* bytes allocated at once, for which steps of this collection are owed */
  uint64_t start_due; /* where growth_min is not 0: when the next collection starts, if the budget
                         allows it */
  uint64_t latest_start; /* so: when it starts whatever it costs */
  uint64_t freed_bytes;  /* so: of cells that the program has freed since the last one started */
  size_t growth_min;     /* a collection starts when as much as is alive has been allocated, but at
                            least this; 0: not so */
  bool is_postponed;     /* so: it would have exceeded the budget */
  unsigned
      budget_percent;   /* so: of the processor time of the process, for collections; 0: no bound */
  uint64_t cycle_begin; /* processor time of the process when this or the last collection began */
  uint64_t cycle_time;  /* of it, what that collection has taken, and what followed it */
  uint64_t end_clock, last_room; /* when the last one ended; what was allocated between the one
                                    before it and that */
  uint64_t cycle_clock, cycle_marked, cycle_words, cycle_increments;
  uint64_t last_marked, last_words;   /* at first, what is expected */
  uint64_t cycle_unfilled;            /* bytes of large objects that it found never written */
  size_t cycle_scanned, last_scanned; /* slots */
  size_t protect_words;               /* what protecting pages has taken, ever, in slots */
  double cycle_ratio;                 /* bytes marked for 100 allocated */
  bool is_behind;
  uint64_t at_once_ns;  /* a collection that is expected to take no longer is one stop: with a
                           quarantine it is asked before it starts */
  size_t at_once_words; /* without one: slots that may be scanned in the step that starts one */
  /* Goals for limit_pages (where growth_min is not 0: for mapped_pages) by growth_percent, now and
   * after the last collection. */
  size_t goal_pages, last_goal_pages;
} heap_pace;

#endif
