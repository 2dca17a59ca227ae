/* SPDX-License-Identifier: MIT */
/* pace.c - see pace.h. */
#include "gc/cycle/pace.h"

#include "gc/cycle/allocate.h"
#include "gc/cycle/cycle.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/rescan.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "gc/trace/event.h"
#include "gc/trace/trace.h"
#include "platform/check.h"
#include "platform/os.h"

/* Slots that are visited in the time in which the kernel takes a page away and supplies another
 * one. */
#define MOVE_WORDS 2048
/* A collector that lags by this many increments is late, not only rounding. */
#define INCREMENTS_TO_PREDICT 8
/* The limit is raised by this part of itself. */
#define RAISE_PART 8
/* How much faster than is just enough. */
#define RATIO_MARGIN 1.25
/* Steps of shrink for the bytes that are allocated between two increments. */
#define SHRINK_STEPS 8
/* What stays mapped beyond what is expected to be needed: cells that are white on pages in use are
 * not counted as such. */
#define KEPT_PART 8
/* At least this part of what is alive is allocated between two collections, however long they take.
 */
#define GROWTH_PART 4
/* What is allocated between two collections that would be dearer than the budget is at most the
   geometric mean of what is alive and this; or so many times what is allocated at least. */
#define POSTPONED_BYTES ((uint64_t)32 << 20)
#define POSTPONED_LEAST 4
/* The budget is asked again after this part of what is left until then. */
#define POSTPONED_PART 16
/* In ns, of a step: what takes longer was interrupted by another process.  The clock of the thread
   itself would tell, and takes a system call. */
#define INTERRUPTED ((uint64_t)1000000)
/* Increments of small heaps visit so much more. */
#define SMALL_FASTER 3
/* What grows as the program likes follows one allocation with an increment more for each so much of
 * it: it takes half as long to clear. */
#define ALLOCATED_PER_INCREMENT ((size_t)32 << 10)
/* What is made up for at once, as long as no more is owed than DEBT_MAX, or this part of what
 * is alive. The allocations that follow make up for the rest, with steps that much more often. */
#define PAID_AT_ONCE ALLOCATED_PER_INCREMENT
#define DEBT_MAX ((size_t)8 << 20)
#define DEBT_PART 8
#define DEBT_INTERVAL_PART 4
/* The same for one that chases what was written: if the program writes all that it allocates, still
 * less than that visits. */
#define ALLOCATED_PER_CHASE ((size_t)128 << 10)
/* A collection of a quarantine is due when this part of the heap was freed, and at the latest at
 * that one where it would exceed the budget; or so many times what is freed at least. */
#define QUARANTINE_PERCENT 10
#define QUARANTINE_PERCENT_MAX 30
#define QUARANTINE_LEAST_MAX 2
/* Where it would exceed the budget so many times, at the latest at the geometric mean of what a
 * collection reads and this, if that is more. */
#define QUARANTINE_DEAR 4
#define QUARANTINE_DEAR_BYTES ((uint64_t)8 << 20)
/* The budget is asked again after this part of all that may be freed until then: a question takes a
 * system call. */
#define QUARANTINE_POSTPONED_PART 8
/* What is freed at once is followed by one step, or, if it is more than is allocated between two
 * steps, by so many. */
#define STEPS_AFTER_FREE 2
/* Steps between two collections are so much closer than others, because each page that is still
 * protected may cost a fault. */
#define QUARANTINE_IDLE_PART 8

/* -- A heap with a limit: when, and how fast --------------------------------------------------- */

static size_t white_bytes(const heap *h, size_t class) {
  size_t count = 0;
  for (size_t i = 0; i < h->cells.segments_started; i++)
    count += ring_at(h, i, class)->white_count;
  return count * h->cells.classes[class].size;
}

static size_t allocated_bytes(const heap *h, size_t class) {
  size_t count = 0;
  for (size_t i = 0; i < h->cells.segments_started; i++) {
    const ring *r = ring_at(h, i, class);
    count += r->count - r->white_count;
  }
  return count * h->cells.classes[class].size;
}

/* Pages without an object, in whatever form, that any allocation may use; and those only some may.
 */
static size_t free_pages(const heap *h) {
  size_t pages = h->space.limit_pages - h->space.mapped_pages + h->space.spare.count;
  if (h->config.uses_migration)
    for (size_t i = 0; i < h->cells.class_count; i++)
      pages += h->cells.classes[i].free.count;
  if (h->config.remap)
    pages += h->cells.big_dead_pages + h->space.free_run_pages;
  return pages;
}

/* Bx: what class x may take from the truly free memory until a collection that starts now ends. */
static size_t extra_bytes(const heap *h, size_t allocated, size_t free) {
  size_t wanted = (size_t)((double)allocated * 100 / h->config.gc_ratio_percent);
  return wanted > free ? wanted - free : 0;
}

static size_t sum_of_extra(const heap *h) {
  size_t sum = 0;
  for (size_t i = 0; i < h->cells.class_count; i++) {
    const cell_class *class = &h->cells.classes[i];
    size_t white = white_bytes(h, i),
           free = h->config.uses_migration ? class->free.count * class->cells * class->size : 0;
    sum += extra_bytes(h, allocated_bytes(h, i), white > free ? white - free : 0);
  }
  size_t big_free =
      h->config.remap ? 0 : (h->cells.big_dead_pages + h->space.free_run_pages) << ACRE_PAGE_SHIFT;
  return sum + extra_bytes(h,
                           (h->cells.big_used_pages + h->cells.big_ecru_pages) << ACRE_PAGE_SHIFT,
                           big_free);
}

/* What is ecru and what is free, in bytes, for all classes. */
static void sum_colours(const heap *h, double *ecru, double *free) {
  *ecru = (double)(h->cells.big_ecru_work << ACRE_PAGE_SHIFT);
  *free = (double)(free_pages(h) << ACRE_PAGE_SHIFT);
  for (size_t i = 0; i < h->cells.class_count && h->config.uses_migration;
       i++) /* the cells of free pages are counted below */
    *free -= (double)(h->cells.classes[i].free.count << ACRE_PAGE_SHIFT);
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++) {
    size_t size = h->cells.classes[i % h->cells.class_count].size;
    *ecru += (double)h->cells.rings[i].ecru_count * (double)size;
    *free += (double)h->cells.rings[i].white_count * (double)size;
  }
}

/* The ratio for a collection that starts now: gcRatio, or what it takes to see all that is ecru
   before what is free is used up.  So much may be allocated while a collection runs that the next
   one starts with less than gcRatio asks for. */
static void set_ratio(heap *h) {
  double ecru, free, wanted;
  sum_colours(h, &ecru, &free);
  wanted = ecru * 100 * RATIO_MARGIN / (free + ACRE_PAGE_SIZE);
  h->pace.cycle_ratio = wanted > h->config.gc_ratio_percent ? wanted : h->config.gc_ratio_percent;
  if (h->pace.last_words == 0) {
    h->pace.last_marked = (uint64_t)ecru;
    h->pace.last_words = h->pace.last_marked / sizeof(void *);
  }
}

/* Starts a collection if there is just enough free memory to last for it; else says when to look
   again: a byte allocated lowers one side by at most 1 + 1/gcRatio. */
static void start_by_free_memory(heap *h) {
  size_t free = free_pages(h) << ACRE_PAGE_SHIFT, extra = sum_of_extra(h);
  if (extra >= free) {
    acre_heap_collect_start(&h->head);
    return;
  }
  double ratio = h->config.gc_ratio_percent / 100.0;
  uint64_t room = (uint64_t)((double)(free - extra) * ratio / (1 + ratio));
  pace_set_due(h, heap_clock(h) + (room < ACRE_PAGE_SIZE ? ACRE_PAGE_SIZE : room));
}

/* -- A heap that grows: when ------------------------------------------------------------------- */

static bool is_mostly_freed(const heap *h) {
  return h->pace.freed_bytes >= h->pace.growth_min &&
         h->pace.freed_bytes >= heap_alive_about(h) / 3 * 2;
}

/* What the last collection found alive, without what was allocated while it ran. */
static uint64_t found_alive(const heap *h) {
  uint64_t found = heap_alive(h).cells - (heap_clock(h) - h->pace.cycle_clock);
  return found - (h->pace.cycle_unfilled < found ? h->pace.cycle_unfilled : found);
}

static uint64_t start_of_next(const heap *h) {
  if (h->config.collects_each_allocation)
    return 0;
  if (h->pace.growth_min == 0)
    return h->config.is_incremental ? heap_clock(h) : UINT64_MAX;
  if (is_mostly_freed(h))
    return heap_clock(h);
  /* What was allocated while the last collection ran was not looked at, and as much will come on
     top while the next one runs: with both, the heap is to become twice as large as what the last
     one found alive. */
  uint64_t during = heap_clock(h) - h->pace.cycle_clock, found = found_alive(h);
  uint64_t grown = found > 2 * during ? found - 2 * during : 0, least = found / GROWTH_PART;
  grown = grown > least ? grown : least;
  return heap_clock(h) + (grown > h->pace.growth_min ? grown : h->pace.growth_min);
}

/* Rounded down.  The C library's may be in another library, which programs need not link. */
static uint64_t square_root(uint64_t square) {
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
    if ((root | bit) * (root | bit) <= square)
      root |= bit;
  return root;
}

/* By then the heap is larger than its collections are worth: see docs/design/collector/pace.md. */
static uint64_t latest_start(const heap *h) {
  uint64_t room = square_root((found_alive(h) + h->roots.foreign_bytes) * POSTPONED_BYTES),
           least = POSTPONED_LEAST * (uint64_t)h->pace.growth_min;
  return heap_clock(h) + (room > least ? room : least);
}

/* How many times the budget the last collection took, of the processor time of the process since it
 * began. */
static double budgets_used(const heap *h) {
  if (h->pace.budget_percent == 0)
    return 0;
  uint64_t passed = acre_os_processor_time() - h->pace.cycle_begin;
  return (double)h->pace.cycle_time * 100 / ((double)passed * h->pace.budget_percent + 1);
}

/* -- A heap with a quarantine: when ------------------------------------------------------------ */

/* A part of what is not freed and of `also`, or so many times the least. */
static uint64_t quarantine_bytes(const heap *h, uint64_t also, unsigned percent, unsigned least) {
  uint64_t share = (quarantine_unfreed(h, h->pace.freed_bytes) + also) / 100 * percent,
           most = (uint64_t)h->pace.growth_min * least;
  return share > most ? share : most;
}

/* What is freed decides, not what is allocated. */
static void start_when_freed(heap *h) {
  bool is_due = h->pace.freed_bytes >= h->quarantine.due_bytes;
  h->pace.start_due = is_due || h->config.collects_each_allocation ? heap_clock(h) : UINT64_MAX;
}

/* What will be freed until the next collection ends, if it comes as late as the last one. */
static uint64_t quarantine_room(const heap *h) {
  uint64_t last = h->quarantine.last_bytes, due = h->quarantine.due_bytes;
  return (last > due ? last : due) + h->pace.freed_bytes;
}

/* What may wait at most, if the collection that is due would use so many budgets. */
static uint64_t most_quarantined(const heap *h, double budgets) {
  uint64_t most = quarantine_bytes(h, h->roots.foreign_bytes, QUARANTINE_PERCENT_MAX,
                                   QUARANTINE_LEAST_MAX),
           read = quarantine_unfreed(h, h->pace.freed_bytes) + h->roots.foreign_bytes,
           dear = square_root(read * QUARANTINE_DEAR_BYTES);
  return budgets > QUARANTINE_DEAR && dear > most ? dear : most;
}

static bool postpones_sweep(heap *h) {
  double budgets = budgets_used(h);
  uint64_t freed = h->pace.freed_bytes, most = most_quarantined(h, budgets);
  if (freed >= most || budgets <= 1)
    return false;
  h->quarantine.due_bytes = freed + most / QUARANTINE_POSTPONED_PART + 1;
  start_when_freed(h);
  return true;
}

void acre_gc_pace_be_idle(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_IDLE);
  if (h->quarantine.is_on) {
    h->quarantine.due_bytes = quarantine_bytes(h, 0, QUARANTINE_PERCENT, 1);
    start_when_freed(h);
    pace_set_due(h, h->pace.start_due);
    return;
  }
  h->pace.start_due = start_of_next(h);
  h->pace.latest_start = latest_start(h);
  h->pace.is_postponed = false;
  h->pace.end_clock = heap_clock(h);
  pace_set_due(h, h->pace.start_due);
}

/* The next collection, which is due, comes too soon after the last one: it is due later. */
static bool postpones_start(heap *h) {
  if (h->quarantine.is_on)
    return postpones_sweep(h);
  uint64_t clock = heap_clock(h);
  if (clock >= h->pace.latest_start || budgets_used(h) <= 1)
    return false;
  h->pace.is_postponed = true;
  h->pace.start_due = clock + (h->pace.latest_start - clock) / POSTPONED_PART + ACRE_PAGE_SIZE;
  return true;
}

void acre_gc_pace_freed(heap *h, size_t bytes) {
  h->pace.freed_bytes += bytes;
  if (h->quarantine.is_on) {
    if (h->cycle.phase != PHASE_IDLE)
      return;
    start_when_freed(h);
    if (h->pace.start_due != UINT64_MAX)
      pace_set_due(h, h->pace.start_due);
    return;
  }
  if (h->cycle.phase != PHASE_IDLE || h->pace.is_postponed || !is_mostly_freed(h))
    return;
  h->pace.start_due = heap_clock(h);
  pace_set_due(h, h->pace.start_due);
}

/* -- Late -------------------------------------------------------------------------------------- */

static bool raise_limit(heap *h) {
  size_t most = h->config.limit_max >> ACRE_PAGE_SHIFT,
         step = h->space.limit_pages / RAISE_PART + 1;
  if (h->config.when_behind != ACRE_HEAP_BEHIND_GROW || h->space.limit_pages == most)
    return false;
  h->space.limit_pages = most - h->space.limit_pages < step ? most : h->space.limit_pages + step;
  h->account.stats.limit_raised++;
  event_send(h, ACRE_HEAP_EVENT_RAISED, h->space.limit_pages << ACRE_PAGE_SHIFT);
  return true;
}

/* Will memory be out before the collection ends?  An increment can visit increment_words slots,
   which in this collection and the last led to so many bytes each (this one alone may have begun
   with what is slow to mark); at worst all that is ecru is still to be marked.  Only asked when the
   collector is some increments short of its ratio: as long as it keeps it, the start condition has
   seen to it. */
static bool is_falling_behind(const heap *h) {
  uint64_t allocated = heap_clock(h) - h->pace.cycle_clock;
  double interval = (double)allocated / (double)h->pace.cycle_increments, ecru, free;
  double short_of =
      ((double)allocated - INCREMENTS_TO_PREDICT * interval) * h->pace.cycle_ratio / 100;
  if (!is_collecting(h) || h->pace.cycle_marked == 0 || (double)h->pace.cycle_marked >= short_of)
    return false;
  sum_colours(h, &ecru, &free);
  double marked = (double)(h->pace.cycle_marked + h->pace.last_marked),
         words = (double)(h->pace.cycle_words + h->pace.last_words);
  double each = marked / words * h->config.increment_words;
  return ecru > each * free / interval;
}

static void predict(heap *h) {
  if (h->pace.is_behind || !is_falling_behind(h))
    return;
  h->pace.is_behind = true;
  h->account.stats.fell_behind++;
  event_send(h, ACRE_HEAP_EVENT_BEHIND, 0);
  if (h->config.when_behind == ACRE_HEAP_BEHIND_GROW && raise_limit(h))
    h->pace.is_behind = false; /* and may be again */
  else if (h->config.when_behind != ACRE_HEAP_BEHIND_WAIT)
    acre_gc_cycle_run_to_end(h);
}

/* -- How large --------------------------------------------------------------------------------- */

/* How much is allocated until the next collection ends, if it is postponed as the last one was, and
 * takes as long. */
static uint64_t bytes_until_next_end(const heap *h) {
  uint64_t clock = heap_clock(h), room = h->pace.start_due - clock,
           latest = h->pace.latest_start - clock,
           postponed = h->pace.last_room < latest ? h->pace.last_room : latest;
  return (room > postponed ? room : postponed) + (clock - h->pace.cycle_clock);
}

/* What the limit is to be by growth_percent, or what is to stay mapped: of two collections, because
   memory that the next one wants back is not worth returning.  The limit is raised at once. */
static void set_goal(heap *h) {
  if (!h->config.growth_percent)
    return;
  /* Whole pages, not cells: with no page free at all, every collection would start the next. */
  size_t used = h->cells.big_used_pages, most = h->config.limit_max >> ACRE_PAGE_SHIFT, goal;
  for (size_t i = 0; i < h->cells.class_count; i++)
    used += h->cells.classes[i].used.count + h->cells.classes[i].full.count;
  if (h->quarantine.is_on) {
    goal = used + used / KEPT_PART + (quarantine_room(h) >> ACRE_PAGE_SHIFT);
  } else if (h->pace.growth_min) {
    goal = used + (bytes_until_next_end(h) >> ACRE_PAGE_SHIFT);
    goal += goal / KEPT_PART;
  } else {
    goal = used + (size_t)((double)used * h->config.growth_percent / 100);
    goal = goal > h->config.limit >> ACRE_PAGE_SHIFT ? goal : h->config.limit >> ACRE_PAGE_SHIFT;
  }
  goal = goal < most ? goal : most;
  h->pace.goal_pages = goal > h->pace.last_goal_pages ? goal : h->pace.last_goal_pages;
  h->pace.last_goal_pages = goal;
  if (!h->pace.growth_min && h->pace.goal_pages > h->space.limit_pages)
    h->space.limit_pages = h->pace.goal_pages;
}

static bool is_above_goal(const heap *h) {
  return h->config.growth_percent &&
         (h->pace.growth_min ? h->space.mapped_pages : h->space.limit_pages) > h->pace.goal_pages;
}

/* Is there anything to do in steps while no collection runs? */
static bool has_idle_work(const heap *h) { return h->watch.is_releasing || is_above_goal(h); }

/* A step of the way down to the goal: pages of classes that are free become free frames, free
 * frames go back. */
static void shrink(heap *h) {
  size_t before = h->space.mapped_pages;
  for (int i = 0; i < SHRINK_STEPS && is_above_goal(h); i++) {
    uint32_t index;
    if (acre_gc_space_shrink(h, h->pace.goal_pages))
      continue;
    if (h->cells.big.white_count) {
      acre_gc_big_reap(h, 1);
    } else if ((index = acre_gc_page_migrate(h)) != 0) {
      acre_gc_space_add_spare(h, index);
    } else {
      h->pace.goal_pages = h->pace.growth_min ? h->space.mapped_pages
                                              : h->space.limit_pages; /* the rest is in use */
    }
  }
  if (before > h->space.mapped_pages)
    event_send(h, ACRE_HEAP_EVENT_RETURNED, before - h->space.mapped_pages);
}

/* -- In time ----------------------------------------------------------------------------------- */

/* A step of what is done while no collection runs. */
static void work_idly(heap *h) {
  uint64_t begin = event_begin(h);
  if (h->watch.is_releasing)
    acre_gc_release_some(h);
  else
    shrink(h);
  event_end(h, ACRE_HEAP_EVENT_IDLE, begin, 0);
  uint64_t next =
      heap_clock(h) + h->config.increment_bytes / (h->quarantine.is_on ? QUARANTINE_IDLE_PART : 1);
  pace_set_due(h, h->pace.growth_min && h->pace.start_due < next ? h->pace.start_due : next);
}

/* Steps of small heaps visit so much more; and those that chase what is written. */
static size_t step_words(const heap *h) {
  size_t words = h->config.increment_words * (is_small(h) ? SMALL_FASTER : 1);
  bool is_chase = h->cycle.phase == PHASE_CHASE || h->quarantine.is_on;
  return is_chase && words < CHASE_WORDS ? CHASE_WORDS : words;
}

/* A heap that grows collects now, as its pace said. */
static void start_by_growth(heap *h) {
  acre_heap_collect_start(&h->head);
  if (!h->config.is_incremental)
    acre_heap_collect_finish(&h->head);
  else if (h->quarantine.is_on || h->pace.last_scanned <= h->pace.at_once_words)
    acre_gc_cycle_step(h, step_words(h), h->config.increment_objects, UINT64_MAX);
}

/* Something is due, and no collection runs. */
static void start_or_idle(heap *h) {
  if (h->pace.growth_min && heap_clock(h) >= h->pace.start_due && !postpones_start(h))
    start_by_growth(h);
  else if (has_idle_work(h))
    work_idly(h);
  else if (h->pace.growth_min)
    pace_set_due(h, h->pace.start_due);
  else if (h->config.is_incremental)
    start_by_free_memory(h);
  else
    pace_set_due(h, UINT64_MAX);
}

/* How much of what is owed is paid at once. */
static uint64_t payment(const heap *h) {
  uint64_t most = h->pace.last_marked / DEBT_PART;
  most = most > DEBT_MAX ? most : DEBT_MAX;
  return h->pace.debt > most ? h->pace.debt : PAID_AT_ONCE;
}

/* A step of the collection that runs: as much is marked as its ratio asks for by now. */
static void step_in_time(heap *h) {
  uint64_t target =
      h->quarantine.is_on
          ? UINT64_MAX
          : (uint64_t)((double)(heap_clock(h) - h->pace.cycle_clock) * h->pace.cycle_ratio / 100);
  h->pace.debt += h->pace.growth_min ? heap_clock(h) - h->pace.due : 0;
  uint64_t paid = payment(h), done = 0;
  paid = paid < h->pace.debt ? paid : h->pace.debt;
  bool is_done = false;
  while (done <= paid && !is_done) {
    done += h->cycle.phase == PHASE_CHASE ? ALLOCATED_PER_CHASE : ALLOCATED_PER_INCREMENT;
    is_done = acre_gc_cycle_step(h, step_words(h), h->config.increment_objects, target);
  }
  h->pace.debt -= done < h->pace.debt ? done : h->pace.debt;
  if (!is_done)
    pace_set_due(h, heap_clock(h) + heap_interval(h) / (h->pace.debt ? DEBT_INTERVAL_PART : 1));
  if (!is_done && !h->quarantine.is_on)
    predict(h);
}

static void do_what_is_due(heap *h) {
  if (heap_clock(h) >= h->account.next_sample)
    acre_gc_trace_sample(h);
  if (heap_clock(h) < h->pace.due)
    pace_set_due(h, h->pace.due);
  else if (h->config.collects_each_allocation)
    acre_heap_collect(&h->head);
  else if (h->cycle.phase == PHASE_IDLE)
    start_or_idle(h);
  else
    step_in_time(h);
}

/* What is done between these takes time from the budget. */
static uint64_t time_begins(const heap *h) {
  return h->pace.budget_percent ? acre_gc_event_nanoseconds() : 0;
}
static void time_ends(heap *h, uint64_t begin) {
  if (h->pace.budget_percent == 0)
    return;
  uint64_t taken = acre_gc_event_nanoseconds() - begin;
  uint64_t longest = h->pace.at_once_ns > INTERRUPTED ? h->pace.at_once_ns : INTERRUPTED;
  bool is_step = h->config.is_incremental && taken > longest;
  h->pace.cycle_time += is_step ? longest : taken;
}

void acre_gc_pace_slowly(heap *h) {
  ACRE_ASSERT(heap_clock(h) >= h->pace.trigger);
  uint64_t begin = time_begins(h);
  do_what_is_due(h);
  time_ends(h, begin);
}

void acre_gc_pace_after_free(heap *h, size_t bytes) {
  if (!h->quarantine.is_on || !h->config.is_incremental)
    return;
  if (!is_collecting(h) && !has_idle_work(h))
    return;
  uint64_t begin = time_begins(h);
  size_t steps = bytes > h->config.increment_bytes ? STEPS_AFTER_FREE : 1;
  for (; steps > 0; steps--)
    if (is_collecting(h))
      acre_gc_cycle_step(h, step_words(h), h->config.increment_objects, UINT64_MAX);
    else if (has_idle_work(h))
      work_idly(h);
  time_ends(h, begin);
}

void acre_gc_pace_start(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS);
  h->quarantine.last_bytes = h->pace.freed_bytes;
  h->pace.freed_bytes = h->pace.debt = 0;
  h->pace.is_behind = false;
  h->pace.last_room = heap_clock(h) - h->pace.end_clock;
  h->pace.cycle_clock = heap_clock(h);
  h->pace.cycle_begin = h->pace.budget_percent ? acre_os_processor_time() : 0;
  h->pace.cycle_time = 0;
  h->pace.cycle_marked = h->pace.cycle_unfilled = h->pace.cycle_words = h->pace.cycle_increments =
      h->pace.cycle_scanned = 0;
  set_ratio(h);
}

void acre_gc_pace_finish(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_IDLE);
  h->pace.last_marked = h->pace.cycle_marked;
  h->pace.last_scanned = h->pace.cycle_scanned;
  acre_gc_pace_be_idle(h);
  set_goal(h);
  if (h->pace.growth_min && has_idle_work(h))
    pace_set_due(h, heap_clock(h) + h->config.increment_bytes);
}

/* -- Out of memory ----------------------------------------------------------------------------- */

bool acre_gc_pace_collects_instead(const heap *h, size_t pages) {
  if (h->config.is_incremental || h->config.remap != ACRE_HEAP_REMAP_LAZY)
    return false;
  double free = (double)free_pages(h),
         allocated = (double)(heap_clock(h) - h->pace.cycle_clock) / ACRE_PAGE_SIZE;
  /* A collection that is due soon anyway costs only the part for which it comes too early. */
  double cost = (double)h->pace.last_words * free / (allocated + free);
  return allocated >= free && cost < (double)pages * MOVE_WORDS;
}

bool acre_gc_pace_find_memory(heap *h, enum effort *effort) {
  if (h->cycle.phase != PHASE_IDLE) {
    if (raise_limit(h))
      return true;
    h->account.stats.forced++;
    event_send(h, ACRE_HEAP_EVENT_FORCED, 0);
    acre_gc_cycle_run_to_end(h);
    return true;
  }
  if (*effort == EFFORT_COLLECTED)
    return raise_limit(h);
  *effort = EFFORT_COLLECTED;
  acre_heap_collect(&h->head);
  return true;
}
