/* cycle.c - collections: their phases, their pace, and what happens when they are late.
 *
 * Invariant: the phases of docs/design/collector.md follow each other in order, except that marking
 * goes on in each of them whenever something is grey.  From PHASE_WEAK on, what is ecru is
 * unreachable but from finalizable objects.
 */
#include "gc/cycle/cycle.h"

#include <string.h>

#include "gc/cycle/allocate.h"
#include "gc/cycle/foreign_roots.h"
#include "gc/cycle/mark.h"
#include "gc/cycle/rescan.h"
#include "gc/cycle/roots.h"
#include "gc/cycle/weak.h"
#include "gc/heap/bitmap.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "gc/linux/dirty.h"
#include "gc/linux/stop_world.h"
#include "gc/trace/event.h"
#include "gc/trace/trace.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/procfs.h"
#include "platform/sanitizer.h"

#define NO_BOUND (SIZE_MAX / 16)
/* Slots that are visited in the time in which the kernel takes a page away and supplies another
 * one. */
#define MOVE_WORDS 2048
/* A collector that lags by this many increments is late, not only rounding. */
#define INCREMENTS_TO_PREDICT 8
/* The limit is raised by this part of itself. */
#define RAISE_PART 8
/* How much faster than is just enough. */
#define RATIO_MARGIN 1.25
#define DEAD_BYTE 0xdb
/* Steps of shrink for the bytes that are allocated between two increments. */
#define SHRINK_STEPS 8
/* What stays mapped beyond what is expected to be needed: cells that are white on pages in use are
 * not counted as such. */
#define KEPT_PART 8
/* At least this part of what is alive is allocated between two collections, however long they take.
 */
#define GROWTH_PART 4
/* Increments of small heaps visit so much more. */
#define SMALL_FASTER 3
/* What grows as the program likes follows one allocation with an increment more for each so much of
 * it: it takes half as long to clear. */
#define ALLOCATED_PER_INCREMENT ((size_t)32 << 10)
/* Times that the program runs on because settling at once would take too long. */
#define SETTLES_MAX 3

/* -- Start and finish -------------------------------------------------------------------------- */

static void set_ratio(heap *h);

/* What was allocated until now is ecru. */
static void flip(heap *h) {
  for (size_t i = 0; i < h->cells.class_count; i++)
    acre_gc_bitmap_retire(h, i);
  h->cycle.epoch++;
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    ring_flip(&h->cells.rings[i]);
  ring_flip(&h->cells.big);
  for (size_t i = 0; i < h->cells.class_count; i++) {
    h->cells.classes[i].ecru = h->cells.classes[i].used;
    h->cells.classes[i].used = (page_list){0};
    acre_gc_bitmap_flip(h, i);
  }
  h->cells.big_ecru_pages = h->cells.big_used_pages;
  h->cells.big_ecru_work = h->cells.big_used_work;
  h->cells.big_used_pages = h->cells.big_used_work = 0;
  h->cycle.marked_big = NULL;
  h->cycle.marked_big_bytes = 0;
  h->account.marked_less_made = (tally){-h->account.made.objects, -h->account.made.big_objects,
                                        -h->account.made.useful, -h->account.made.cells};
  h->pace.cycle_clock = heap_clock(h);
  h->pace.cycle_marked = h->pace.cycle_unfilled = h->pace.cycle_words = h->pace.cycle_increments =
      h->pace.cycle_scanned = 0;
  ACRE_ASSERT(h->cycle.phase == PHASE_IDLE && !has_grey(h));
  h->cycle.phase = PHASE_ROOTS;
  h->head.is_marking = 1;
  acre_gc_roots_start(h);
  set_ratio(h);
}

static void start(heap *h) {
  h->pace.freed_bytes = 0;
  h->pace.is_behind = h->cycle.is_whole = false;
  h->account.stats.collections++;
  event_send(h, ACRE_HEAP_EVENT_START, 0);
  h->watch.is_protected = h->watch.is_tracked && h->config.is_incremental;
  h->watch.is_releasing = false;
  flip(h);
}

/* Overwrites an object that is about to be reclaimed: a test build's way to see who still uses one.
 */
static void poison_cell(const heap *h, const cell *c) {
  object_view o = cell_object(h, c);
  if (h->config.poisons)
    memset(o.start, DEAD_BYTE, o.size);
  if (h->is_checked && c->is_big)
    acre_sanitizer_forbid(c->start, (size_t)h->space.pages[c->page].count << ACRE_PAGE_SHIFT);
  else if (c->size)
    acre_gc_cell_forbid(h, c->start, c->size);
}

static void poison_if_ecru(const cell *c, void *context) {
  if (cell_colour(context, c) == COLOUR_ECRU)
    poison_cell(context, c);
}

static void poison(heap *h, ring *r) {
  acre_ref ref = r->ecru;
  for (size_t i = r->ecru_count; i > 0; i--, ref = ring_next(r, ref)) {
    cell c = cell_at(h, r, ref);
    poison_cell(h, &c);
  }
}

static void finish_ring(heap *h, ring *r) {
  if ((h->config.poisons || h->is_checked) && r->format != LINKS_NONE)
    poison(h, r);
  ring_reclaim(r);
}

/* How much is allocated until a collection that starts at start_due ends, if it takes as long as
 * the last one. */
static uint64_t bytes_until_next_end(const heap *h) {
  return h->pace.start_due - heap_clock(h) + (heap_clock(h) - h->pace.cycle_clock);
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
  if (h->pace.growth_min) {
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

static void finish(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_LAST && !has_grey(h));
  if (h->uses_bitmaps && (h->config.poisons || h->is_checked))
    acre_gc_each_cell(h, poison_if_ecru, h);
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    finish_ring(h, &h->cells.rings[i]);
  finish_ring(h, &h->cells.big);
  for (size_t i = 0; i < h->cells.class_count; i++) {
    cell_class *class = &h->cells.classes[i];
    acre_gc_bitmap_retire(h, i);
    acre_gc_bitmap_reclaim(h, i);
    if (class->ecru.count || class->free.count)
      h->cells.free_classes[i / 64] |= (uint64_t)1 << i % 64;
    acre_gc_list_splice(h, &class->free, &class->ecru);
    class->segment = 0;
  }
  h->pace.last_marked = h->pace.cycle_marked;
  h->pace.last_scanned = h->pace.cycle_scanned;
  h->cells.big_dead_pages += h->cells.big_ecru_pages;
  h->cells.big_ecru_pages = h->cells.big_ecru_work = 0;
  h->account.alive_less_made = h->account.marked_less_made;
  h->cycle.phase = PHASE_IDLE;
  h->head.is_marking = 0;
  acre_gc_roots_forget(h);
  collect_idle(h);
  set_goal(h);
  acre_gc_release_start(h);
  if (h->pace.growth_min && has_idle_work(h))
    collect_set_due(h, heap_clock(h) + h->config.increment_bytes);
}

/* -- Increments -------------------------------------------------------------------------------- */

static void stop_world(heap *h) {
  if (h->cycle.is_world_stopped)
    return;
  acre_gc_world_stop();
  h->cycle.is_world_stopped = true;
}

/* Nothing was allocated since, which would be black and not scanned. */
static bool has_just_started(const heap *h) {
  return h->pace.cycle_increments == 0 && heap_clock(h) == h->pace.cycle_clock;
}

static void resume_world(heap *h) {
  if (h->cycle.is_world_stopped)
    acre_gc_world_resume();
  h->cycle.is_world_stopped = h->cycle.has_snapshot = false;
}

static void check_increment(heap *h) {
  if (h->check && !h->check(&h->head))
    acre_os_fatal("heap \"%s\": the check after an increment of collection %llu failed",
                  acre_gc_heap_name(h), (unsigned long long)h->account.stats.collections);
}

static bool scan_some(heap *h, budget *b) {
  size_t words = b->words, protecting = h->pace.protect_words;
  bool is_done = acre_gc_mark_some(h, b);
  words -= b->words;
  protecting = h->pace.protect_words - protecting;
  h->pace.cycle_scanned += words > protecting ? words - protecting : 0;
  return is_done;
}

/* Without barriers what is not marked is garbage only if, in one stop, all that was written has
   been visited and all roots have, and what they led to is marked.  If that is more than an
   increment may do, the program runs on, and what it writes meanwhile is chased again. */
static bool settle_at_once(heap *h, budget *b) {
  if (!h->cycle.is_whole) {
    stop_world(h);
    acre_gc_rescan_last(h);
  }
  acre_gc_roots_settle(h, b);
  bool is_patient = h->watch.is_tracked && h->cycle.settled < SETTLES_MAX && b->words != NO_BOUND;
  budget rest = is_patient
                    ? (budget){h->config.increment_words, h->config.increment_objects, UINT64_MAX}
                    : (budget){NO_BOUND, NO_BOUND, UINT64_MAX};
  if (has_grey(h) && !scan_some(h, &rest)) {
    h->cycle.settled++;
    acre_gc_foreign_again(h);
    h->cycle.phase = PHASE_CHASE;
    b->words = 0;
    return false;
  }
  h->cycle.phase = PHASE_WEAK;
  check_increment(h);
  return true;
}

/* The first step, where memory outside the heap is little: all of it is searched at once, and need
   not be watched.  Where the last collection scanned little in the heap, too, this step does, with
   nothing protected: if that is all, nothing has changed, and the collection ends in this step.
   True then.  Else what it has scanned counts as written. */
static bool start_at_once(heap *h, budget *b) {
  stop_world(h);
  b->words = 0;
  if (!acre_gc_roots_at_once(h)) {
    h->roots.foreign_size = FOREIGN_MUCH;
    return false;
  }
  h->roots.foreign_size = FOREIGN_LITTLE;
  acre_gc_foreign_give_up(h);
  if (h->pace.last_scanned > h->pace.at_once_words || !has_just_started(h))
    return false;
  bool was_protected = h->watch.is_protected;
  budget rest = {h->pace.at_once_words, NO_BOUND, UINT64_MAX};
  h->watch.is_protected = false;
  h->cycle.is_whole = h->cycle.has_snapshot = scan_some(h, &rest);
  if (h->cycle.is_whole) {
    *b = (budget){NO_BOUND, NO_BOUND, UINT64_MAX};
    h->cycle.phase = PHASE_SETTLE;
    return true;
  }
  h->watch.is_protected = was_protected;
  h->cycle.scan.base = h->cycle.scan.run = h->cycle.scan.index =
      0; /* what was read of it was not protected, and what is being scanned is not visited */
  return false;
}

/* With barriers, what is left to visit is bounded.  If it leads to something new, that is marked,
 * and this comes again. */
static bool settle_by_barriers(heap *h, budget *b) {
  if (!acre_gc_roots_settle(h, b))
    return false;
  if (!has_grey(h))
    h->cycle.phase = PHASE_WEAK;
  return true;
}

/* True when the collection is finished; false when the budget is used up. */
static bool advance(heap *h, budget *b) {
  for (;;) {
    if (has_grey(h) && !scan_some(h, b))
      return false;
    if (b->words == 0)
      return false;
    switch (h->cycle.phase) {
    case PHASE_ROOTS:
      if (!acre_gc_roots_some(h, b))
        return false;
      if (!h->watch.finds_stores || h->cycle.is_world_stopped) {
        h->cycle.phase = PHASE_SETTLE;
        break;
      }
      if (h->roots.foreign_words && h->roots.foreign_size == FOREIGN_UNKNOWN &&
          acre_is_single_threaded()) {
        if (!start_at_once(h, b))
          return false;
        break;
      }
      if (!acre_gc_foreign_some(h, b))
        return false;
      if (!h->roots.is_foreign_watched && h->roots.foreign_size != FOREIGN_LITTLE)
        acre_gc_roots_settle(h, b);
      acre_gc_foreign_again(h);
      acre_gc_chase_start(h);
      h->cycle.phase = PHASE_CHASE;
      break;
    case PHASE_CHASE:
      if (h->watch.is_protected && !h->cycle.is_world_stopped &&
          !(acre_gc_foreign_some(h, b) && acre_gc_chase_some(h, b)))
        return false;
      h->cycle.phase = PHASE_SETTLE;
      if (b->words != NO_BOUND)
        return false; /* settling is an increment of its own: a part of it has no bound */
      break;
    case PHASE_SETTLE:
      if (!(h->watch.finds_stores ? settle_at_once(h, b) : settle_by_barriers(h, b)))
        return false;
      h->roots.cursor = (handle_cursor){0};
      break;
    case PHASE_WEAK:
      ACRE_ASSERT(!has_grey(h));
      if (!acre_gc_weak_some(h, b))
        return false;
      h->cycle.phase = PHASE_FINAL;
      h->roots.cursor = (handle_cursor){0};
      break;
    case PHASE_FINAL:
      if (!acre_gc_final_some(h, b))
        return false;
      h->cycle.phase = PHASE_LAST;
      break;
    default:
      finish(h);
      return true;
    }
  }
}

static size_t increment_words(const heap *h) {
  return h->config.increment_words * (is_small(h) ? SMALL_FASTER : 1);
}

static void send_timed(heap *h, acre_heap_event_kind kind, uint64_t begin, size_t words) {
  if (h->account.is_traced)
    acre_gc_event_send_slowly(h,
                              &(acre_heap_event){.kind = kind,
                                                 .nanoseconds = begin,
                                                 .amount = words,
                                                 .duration = acre_gc_event_nanoseconds() - begin});
}

/* Without increments, or bounds to them, nothing changes while a collection runs. */
static bool is_at_a_stop(const heap *h, size_t words) {
  return h->config.scans_memory &&
         (!h->config.is_incremental || (h->watch.finds_stores && words == NO_BOUND));
}

/* Not inlined: see run. */
static __attribute__((noinline)) bool run_below(heap *h, size_t words, size_t objects,
                                                uint64_t marked_until) {
  uint64_t begin = h->account.is_traced ? acre_gc_event_nanoseconds() : 0;
  budget b = {words, objects, marked_until};
  h->cycle.own_stack = (uintptr_t)__builtin_frame_address(0);
  h->cycle.pages_touched = 0;
  if (is_at_a_stop(h, words)) {
    stop_world(h);
    h->cycle.is_whole |= has_just_started(h);
    h->watch.is_protected &= !h->cycle.is_whole;
  }
  bool is_done = advance(h, &b);
  size_t used = words > b.words ? words - b.words : 0;
  if (words != NO_BOUND && used > h->account.stats.words_max)
    h->account.stats.words_max = used;
  h->pace.cycle_words += used;
  if (is_done)
    h->pace.last_words = h->pace.cycle_words;
  h->account.stats.increments++;
  h->pace.cycle_increments++;
  send_timed(h, is_done ? ACRE_HEAP_EVENT_FINISH : ACRE_HEAP_EVENT_INCREMENT, begin, used);
  if (h->config.checks_each_increment && h->watch.finds_stores)
    stop_world(h);
  check_increment(h);
  resume_world(h);
  acre_gc_dirty_close(h);
  h->cycle.own_stack = 0;
  return is_done;
}

/* The frames of the collector hold pointers to objects of all colours; what the program holds in
   registers that calls preserve goes to this frame, above them. */
static bool run(heap *h, size_t words, size_t objects, uint64_t marked_until) {
  __builtin_unwind_init();
  bool is_done = run_below(h, words, objects, marked_until);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
  return is_done;
}

static void run_to_end(heap *h) {
  while (!run(h, NO_BOUND, NO_BOUND, UINT64_MAX))
    ;
}

/* -- Pace -------------------------------------------------------------------------------------- */

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

size_t acre_gc_collect_free_pages(const heap *h) {
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
  *free = (double)(acre_gc_collect_free_pages(h) << ACRE_PAGE_SHIFT);
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
static void start_if_needed(heap *h) {
  size_t free = acre_gc_collect_free_pages(h) << ACRE_PAGE_SHIFT, extra = sum_of_extra(h);
  if (extra >= free) {
    acre_heap_collect_start(&h->head);
    return;
  }
  double ratio = h->config.gc_ratio_percent / 100.0;
  uint64_t room = (uint64_t)((double)(free - extra) * ratio / (1 + ratio));
  collect_set_due(h, heap_clock(h) + (room < ACRE_PAGE_SIZE ? ACRE_PAGE_SIZE : room));
}

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
    run_to_end(h);
}

static bool is_mostly_freed(const heap *h) {
  uint64_t alive = heap_clock(h) + h->account.alive_less_made.cells;
  return h->pace.freed_bytes >= h->pace.growth_min && h->pace.freed_bytes >= alive / 3 * 2;
}

uint64_t acre_gc_collect_due(const heap *h) {
  if (h->config.collects_each_allocation)
    return 0;
  if (h->pace.growth_min == 0)
    return h->config.is_incremental ? heap_clock(h) : UINT64_MAX;
  if (is_mostly_freed(h))
    return heap_clock(h);
  /* What was allocated while the last collection ran was not looked at, and as much will come on
     top while the next one runs: with both, the heap is to become twice as large as what the last
     one found alive. */
  uint64_t during = heap_clock(h) - h->pace.cycle_clock, found = heap_alive(h).cells - during;
  found -= h->pace.cycle_unfilled < found ? h->pace.cycle_unfilled : found;
  uint64_t grown = found > 2 * during ? found - 2 * during : 0, least = found / GROWTH_PART;
  grown = grown > least ? grown : least;
  return heap_clock(h) + (grown > h->pace.growth_min ? grown : h->pace.growth_min);
}

void acre_gc_collect_freed(heap *h, size_t bytes) {
  h->pace.freed_bytes += bytes;
  if (h->cycle.phase != PHASE_IDLE || !is_mostly_freed(h))
    return;
  h->pace.start_due = heap_clock(h);
  collect_set_due(h, h->pace.start_due);
}

static void work_idly(heap *h) {
  if (h->watch.is_releasing)
    acre_gc_release_some(h);
  else
    shrink(h);
  uint64_t next = heap_clock(h) + h->config.increment_bytes;
  collect_set_due(h, h->pace.growth_min && h->pace.start_due < next ? h->pace.start_due : next);
}

void acre_gc_collect_pace_slowly(heap *h) {
  if (heap_clock(h) >= h->account.next_sample)
    acre_gc_trace_sample(h);
  if (heap_clock(h) < h->pace.due)
    collect_set_due(h, h->pace.due);
  else if (h->config.collects_each_allocation) {
    acre_heap_collect(&h->head);
  } else if (h->cycle.phase == PHASE_IDLE) {
    if (h->pace.growth_min && heap_clock(h) >= h->pace.start_due) {
      acre_heap_collect_start(&h->head);
      if (!h->config.is_incremental)
        acre_heap_collect_finish(&h->head);
      else if (h->pace.last_scanned <= h->pace.at_once_words)
        run(h, increment_words(h), h->config.increment_objects, UINT64_MAX);
    } else if (has_idle_work(h)) {
      work_idly(h);
    } else if (h->pace.growth_min) {
      collect_set_due(h, h->pace.start_due);
    } else if (h->config.is_incremental) {
      start_if_needed(h);
    } else {
      collect_set_due(h, UINT64_MAX);
    }
  } else {
    uint64_t target =
        (uint64_t)((double)(heap_clock(h) - h->pace.cycle_clock) * h->pace.cycle_ratio / 100);
    uint64_t late = h->pace.growth_min ? heap_clock(h) - h->pace.due : 0;
    collect_set_due(h, heap_clock(h) + heap_interval(h));
    bool is_done = false;
    for (uint64_t left = 1 + late / ALLOCATED_PER_INCREMENT; left > 0 && !is_done; left--)
      is_done = run(h, increment_words(h), h->config.increment_objects, target);
    if (!is_done)
      predict(h);
  }
}

bool acre_gc_collect_instead(const heap *h, size_t pages) {
  if (h->config.is_incremental || h->config.remap != ACRE_HEAP_REMAP_LAZY)
    return false;
  double free = (double)acre_gc_collect_free_pages(h),
         allocated = (double)(heap_clock(h) - h->pace.cycle_clock) / ACRE_PAGE_SIZE;
  /* A collection that is due soon anyway costs only the part for which it comes too early. */
  double cost = (double)h->pace.last_words * free / (allocated + free);
  return allocated >= free && cost < (double)pages * MOVE_WORDS;
}

bool acre_gc_collect_for_memory(heap *h, enum effort *effort) {
  if (h->cycle.phase != PHASE_IDLE) {
    if (raise_limit(h))
      return true;
    h->account.stats.forced++;
    event_send(h, ACRE_HEAP_EVENT_FORCED, 0);
    run_to_end(h);
    return true;
  }
  if (*effort == EFFORT_COLLECTED)
    return raise_limit(h);
  *effort = EFFORT_COLLECTED;
  acre_heap_collect(&h->head);
  return true;
}

/* -- Entry points ------------------------------------------------------------------------------ */

void acre_heap_collect_start(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  if (h->cycle.phase == PHASE_IDLE) {
    if (h->watch.finds_stores)
      acre_procfs_hold();
    if (h->watch.finds_stores && h->config.is_incremental && !h->watch.is_tracked)
      h->config.is_incremental = acre_gc_dirty_start(h);
    start(h);
    collect_set_due(h, h->config.is_incremental ? heap_clock(h) + h->config.increment_bytes
                                                : UINT64_MAX);
  }
}

bool acre_heap_collect_some(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  return h->cycle.phase == PHASE_IDLE ||
         run(h, h->config.increment_words, h->config.increment_objects, UINT64_MAX);
}

void acre_heap_collect_finish(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  if (h->cycle.phase != PHASE_IDLE)
    run_to_end(h);
}

#define DEAD_STACK_BYTES 4096

/* Frames of the collector must not find old pointers in the places of variables that they have not
 * set yet. */
__attribute__((noinline)) static void clear_dead_stack(void) {
  char dead[DEAD_STACK_BYTES];
  memset(dead, 0, sizeof dead);
  __asm__ volatile("" : : "r"(dead) : "memory");
}

void acre_heap_collect(acre_heap *head) {
  if (acre_gc_heap_of(head)->config.scans_memory)
    clear_dead_stack();
  acre_heap_collect_finish(head);
  acre_heap_collect_start(head);
  acre_heap_collect_finish(head);
}

void acre_heap_stored_slow(acre_heap *head, const void *value) { mark_value((heap *)head, value); }

void acre_heap_copied(acre_heap *head, const void *to, size_t size) {
  if (head->is_marking)
    acre_gc_mark_words((heap *)head, to, size);
}
