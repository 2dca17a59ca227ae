/* SPDX-License-Identifier: MIT */
/* cycle.c - see cycle.h.  A phase has one function, which does a part of it and says what follows.
 */
#include "gc/cycle/cycle.h"

#include <string.h>

#include "gc/cycle/foreign_roots.h"
#include "gc/cycle/invariant.h"
#include "gc/cycle/mark.h"
#include "gc/cycle/pace.h"
#include "gc/cycle/quarantine.h"
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
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/procfs.h"
#include "platform/sanitizer.h"

#define DEAD_BYTE 0xdb
/* Times that the program runs on because settling at once would take too long. */
#define SETTLES_MAX 3
#define DEAD_STACK_BYTES 4096
/* Up to this size a heap with a quarantine is read in one stop, where all of that stop is expected
 * to take no longer than at_once_ns; the first time, up to the smaller size. */
#define SWEPT_AT_ONCE_MAX ((uint64_t)16 << 20)
#define SWEPT_AT_FIRST ((uint64_t)512 << 10)
/* A collection that read slower than was expected counts as this part: another process may have had
 * the processor. */
#define SLOWER_PART 4

/* -- Phases ------------------------------------------------------------------------------------ */

/* The next phase.  What it relies on is asserted here, between two phases. */
static void enter(heap *h, enum phase next) {
  ACRE_ASSERT(phase_may_follow(h->cycle.phase, next));
  ACRE_ASSERT(every_grey_ring_is_queued(h));
  ACRE_ASSERT(!h->watch.is_releasing && (!h->watch.is_protected || h->watch.is_tracked));
  ACRE_ASSERT(next == PHASE_CHASE || next == PHASE_SETTLE || next == PHASE_LAST ||
              nothing_is_grey(h));
  ACRE_ASSERT(next != PHASE_ROOTS || !h->head.is_marking);
  ACRE_ASSERT(next != PHASE_IDLE || nothing_is_ecru(h));
  ACRE_ASSERT(next != PHASE_CHASE || h->watch.finds_stores);
  ACRE_ASSERT(next != PHASE_WEAK || !h->watch.finds_stores || h->cycle.is_world_stopped);
  ACRE_ASSERT(next != PHASE_FINAL || names_nothing_ecru(h, &h->roots.weaks));
  ACRE_ASSERT(next != PHASE_LAST || names_nothing_ecru(h, &h->roots.finals));
  h->cycle.phase = next;
  h->head.is_marking = next != PHASE_IDLE;
}

/* What was allocated until now is ecru. */
static void flip(heap *h) {
  ACRE_ASSERT(nothing_is_grey(h) && nothing_is_ecru(h));
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
  h->account.marked_less_made = tally_minus(h->account.made);
}

/* From idle to roots. */
static void start(heap *h) {
  h->account.stats.collections++;
  event_send(h, ACRE_HEAP_EVENT_START, 0);
  h->cycle.is_whole = h->watch.is_releasing = false;
  h->watch.is_protected = h->watch.is_tracked && h->config.is_incremental;
  if (h->quarantine.is_on)
    acre_gc_quarantine_start(h);
  else
    flip(h);
  enter(h, PHASE_ROOTS);
  acre_gc_roots_start(h);
  acre_gc_pace_start(h);
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

/* What is ecru becomes white, all at once. */
static void reclaim(heap *h) {
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
  h->cells.big_dead_pages += h->cells.big_ecru_pages;
  h->cells.big_ecru_pages = h->cells.big_ecru_work = 0;
  h->account.alive_less_made = h->account.marked_less_made;
}

/* How fast this collection read. */
static void note_rate(heap *h) {
  heap_quarantine *q = &h->quarantine;
  uint64_t bytes = quarantine_unfreed(h, h->pace.freed_bytes);
  if (!bytes)
    return;
  double now = (double)q->read_ns / (double)bytes, expected = q->ns_per_byte;
  bool is_slower = expected > 0 && now > expected;
  q->ns_per_byte = is_slower ? expected + (now - expected) / SLOWER_PART : now;
}

/* From last to idle. */
static void finish(heap *h) {
  ACRE_ASSERT(nothing_is_grey(h));
  ACRE_ASSERT(all_cells_are_in_their_segments(h));
  ACRE_ASSERT(all_live_counts_are_right(h));
  ACRE_ASSERT(thread_caches_are_marked(h));
  if (!h->quarantine.is_on)
    reclaim(h);
  note_rate(h);
  enter(h, PHASE_IDLE);
  acre_gc_roots_forget(h);
  acre_gc_release_start(h);
  acre_gc_pace_finish(h);
}

/* -- With all threads stopped ------------------------------------------------------------------ */

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

/* -- Transitions ------------------------------------------------------------------------------- */

static bool scan_some(heap *h, budget *b) {
  size_t words = b->words, protecting = h->pace.protect_words;
  bool is_done = acre_gc_mark_some(h, b);
  words -= b->words;
  protecting = h->pace.protect_words - protecting;
  h->pace.cycle_scanned += words > protecting ? words - protecting : 0;
  return is_done;
}

/* Memory outside the heap, which the collection took to be little: false if it is not. */
static bool search_little(heap *h) {
  h->cycle.has_snapshot = acre_gc_roots_at_once(h);
  if (!h->cycle.has_snapshot)
    acre_gc_foreign_start_late(h);
  return h->cycle.has_snapshot;
}

/* All that was written and all roots are visited, and what they led to is marked, in one stop.
   False if that is more than a patient heap does at once. */
static bool settle_in_one_stop(heap *h, budget *b, bool is_patient) {
  if (!h->cycle.is_whole) {
    stop_world(h);
    if (!acre_gc_rescan_last(h, is_patient))
      return false;
  }
  if (is_patient && h->quarantine.is_on && h->roots.foreign_size == FOREIGN_LITTLE &&
      !h->cycle.has_snapshot && !search_little(h))
    return false;
  acre_gc_roots_settle(h, b);
  budget rest = {NO_BOUND, NO_BOUND, UINT64_MAX};
  if (h->quarantine.is_on)
    return acre_gc_sweep_some(h, &rest); /* not done yet where a collection is whole, or forced */
  rest = is_patient ? (budget){h->config.increment_words, h->config.increment_objects, UINT64_MAX}
                    : rest;
  return !has_grey(h) || scan_some(h, &rest);
}

/* Without barriers what is not marked is garbage only if one stop finds nothing more.  If it takes
   too long, the program runs on, and what it writes meanwhile is chased again. */
static bool settle_at_once(heap *h, budget *b) {
  bool is_patient = h->watch.is_tracked && h->cycle.settled < SETTLES_MAX && b->words != NO_BOUND &&
                    !acre_gc_chase_is_vain(h);
  if (!settle_in_one_stop(h, b, is_patient)) {
    h->cycle.settled++;
    acre_gc_chase_again(h);
    b->words = 0;
    enter(h, PHASE_CHASE);
    return false;
  }
  enter(h, PHASE_WEAK);
  check_increment(h);
  return true;
}

/* Nothing has been read yet, and all of it is expected to be read as fast as by the last
 * collections: with what the stop has taken already, in ns, it will not be long. */
static bool is_swept_at_once(const heap *h, uint64_t taken) {
  const heap_quarantine *q = &h->quarantine;
  if (!q->is_on || h->watch.visit_page != 0)
    return false;
  uint64_t bytes = quarantine_unfreed(h, q->last_bytes);
  if (q->ns_per_byte <= 0)
    return bytes <= SWEPT_AT_FIRST;
  double expected = q->ns_per_byte * (double)bytes;
  return bytes <= SWEPT_AT_ONCE_MAX && expected + (double)taken <= (double)h->pace.at_once_ns;
}

/* Memory outside the heap is still to be searched in a step of its own, or it is to be found out
 * whether that can be.  A heap with a quarantine needs only the last search, if that is little. */
static bool is_searched_at_once(const heap *h) {
  if (!h->roots.foreign_words || h->roots.foreign_size == FOREIGN_MUCH)
    return false;
  if (h->quarantine.is_on)
    return h->roots.foreign_size == FOREIGN_UNKNOWN || is_swept_at_once(h, 0);
  return h->roots.foreign_size == FOREIGN_UNKNOWN && acre_is_single_threaded();
}

/* The heap, too, where it is small: all has been read then, with nothing protected.  True then. */
static bool sweep_at_once(heap *h, budget *b, uint64_t begin) {
  if (!is_swept_at_once(h, acre_gc_event_nanoseconds() - begin))
    return false;
  h->watch.is_protected = false;
  h->cycle.is_whole = h->cycle.has_snapshot = true;
  *b = (budget){NO_BOUND, NO_BOUND, UINT64_MAX};
  enter(h, PHASE_SETTLE);
  return true;
}

/* The first step, where memory outside the heap is little: all of it is searched at once, and need
   not be watched.  Where the last collection scanned little in the heap, too, this step does, with
   nothing protected: if that is all, nothing has changed, and the collection ends in this step.
   True then.  Else what it has scanned counts as written. */
static bool start_at_once(heap *h, budget *b) {
  uint64_t begin = acre_gc_event_nanoseconds();
  stop_world(h);
  b->words = 0;
  if (!acre_gc_roots_at_once(h)) {
    h->roots.foreign_size = FOREIGN_MUCH;
    return false;
  }
  h->roots.foreign_size = FOREIGN_LITTLE;
  acre_gc_foreign_give_up(h);
  if (h->quarantine.is_on)
    return sweep_at_once(h, b, begin);
  if (h->pace.last_scanned > h->pace.at_once_words || !has_just_started(h))
    return false;
  bool was_protected = h->watch.is_protected;
  budget rest = {h->pace.at_once_words, NO_BOUND, UINT64_MAX};
  h->watch.is_protected = false;
  h->cycle.is_whole = h->cycle.has_snapshot = scan_some(h, &rest);
  if (h->cycle.is_whole) {
    *b = (budget){NO_BOUND, NO_BOUND, UINT64_MAX};
    enter(h, PHASE_SETTLE);
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
    enter(h, PHASE_WEAK);
  return true;
}

/* True when the roots have been searched, or the increment may search more. */
static bool search_roots(heap *h, budget *b) {
  if (h->quarantine.is_on && !acre_gc_quarantine_condemn(h, b))
    return false;
  if (!acre_gc_roots_some(h, b))
    return false;
  if (!h->watch.finds_stores || h->cycle.is_world_stopped) {
    enter(h, PHASE_SETTLE);
    return true;
  }
  if (is_searched_at_once(h))
    return start_at_once(h, b);
  if (h->quarantine.is_on && h->roots.foreign_size == FOREIGN_LITTLE)
    acre_gc_foreign_give_up(h);
  if (!acre_gc_foreign_some(h, b))
    return false;
  if (!h->roots.is_foreign_watched && h->roots.foreign_size != FOREIGN_LITTLE)
    acre_gc_roots_settle(h, b);
  if (h->quarantine.is_on && !acre_gc_sweep_some(h, b))
    return false;
  h->cycle.settled = 0;
  acre_gc_chase_start(h);
  /* What was written while the heap was read is mostly no more than the stop may visit. */
  enter(h, h->quarantine.is_on ? PHASE_SETTLE : PHASE_CHASE);
  return !h->quarantine.is_on || b->words == NO_BOUND;
}

/* Settling is an increment of its own, where increments have a bound: a part of it has none. */
static bool chase(heap *h, budget *b) {
  if (h->watch.is_protected && !h->cycle.is_world_stopped)
    do
      if (!acre_gc_foreign_some(h, b) || !acre_gc_chase_some(h, b))
        return false;
    while (!acre_gc_chase_is_over(h));
  enter(h, PHASE_SETTLE);
  return b->words == NO_BOUND;
}

static bool settle(heap *h, budget *b) {
  if (!(h->watch.finds_stores ? settle_at_once(h, b) : settle_by_barriers(h, b)))
    return false;
  h->roots.cursor = (handle_cursor){0};
  return true;
}

static bool clear_weak(heap *h, budget *b) {
  if (!acre_gc_weak_some(h, b))
    return false;
  enter(h, PHASE_FINAL);
  h->roots.cursor = (handle_cursor){0};
  return true;
}

static bool queue_finalizable(heap *h, budget *b) {
  if (!acre_gc_final_some(h, b))
    return false;
  enter(h, PHASE_LAST);
  return true;
}

/* A part of a phase, with nothing grey before it: true where the increment goes on. */
typedef bool transition(heap *h, budget *b);
static transition *const transitions[] = {[PHASE_ROOTS] = search_roots,
                                          [PHASE_CHASE] = chase,
                                          [PHASE_SETTLE] = settle,
                                          [PHASE_WEAK] = clear_weak,
                                          [PHASE_FINAL] = queue_finalizable};

/* What a heap with a quarantine reclaims it reclaims in steps, and while the threads run. */
static bool release(heap *h, budget *b) {
  if (!h->quarantine.is_on)
    return true;
  if (h->cycle.is_world_stopped && b->words < NO_BOUND)
    return false;
  return acre_gc_quarantine_release(h, b);
}

/* True when the collection is finished; false when the budget is used up. */
static bool advance(heap *h, budget *b) {
  do {
    if (has_grey(h) && !scan_some(h, b))
      return false;
    if (b->words == 0)
      return false;
    if (h->cycle.phase == PHASE_LAST) {
      if (!release(h, b))
        return false;
      finish(h);
      return true;
    }
  } while (transitions[h->cycle.phase](h, b));
  return false;
}

/* -- Steps ------------------------------------------------------------------------------------- */

/* If the world is still stopped, it is resumed at once. */
static void send_step(heap *h, acre_heap_event_kind kind, uint64_t begin, size_t words,
                      uint64_t stopped) {
  if (h->account.is_traced)
    acre_gc_event_send_slowly(
        h, &(acre_heap_event){.kind = kind,
                              .nanoseconds = begin,
                              .amount = words,
                              .duration = acre_gc_event_nanoseconds() - begin,
                              .stopped = acre_gc_world_stopped_nanoseconds() - stopped});
}

/* Without increments, or bounds to them, nothing changes while a collection runs. */
static bool is_at_a_stop(const heap *h, size_t words) {
  return h->config.scans_memory &&
         (!h->config.is_incremental || (h->watch.finds_stores && words == NO_BOUND));
}

static void count_step(heap *h, size_t words, size_t used, bool is_done) {
  if (words != NO_BOUND && used > h->account.stats.words_max)
    h->account.stats.words_max = used;
  h->pace.cycle_words += used;
  if (is_done)
    h->pace.last_words = h->pace.cycle_words;
  h->account.stats.increments++;
  h->pace.cycle_increments++;
}

/* Not inlined: see acre_gc_cycle_step. */
static __attribute__((noinline)) bool step_below(heap *h, size_t words, size_t objects,
                                                 uint64_t marked_until) {
  uint64_t begin = event_begin(h), stopped = begin ? acre_gc_world_stopped_nanoseconds() : 0;
  budget b = {words, objects, marked_until};
  h->cycle.own_stack = acre_frame_end();
  h->cycle.pages_touched = 0;
  if (is_at_a_stop(h, words)) {
    stop_world(h);
    h->cycle.is_whole |= has_just_started(h);
    h->watch.is_protected &= !h->cycle.is_whole;
  }
  if (h->is_checked)
    acre_sanitizer_pause();
  bool is_done = advance(h, &b);
  size_t used = words > b.words ? words - b.words : 0;
  count_step(h, words, used, is_done);
  send_step(h, is_done ? ACRE_HEAP_EVENT_FINISH : ACRE_HEAP_EVENT_INCREMENT, begin, used, stopped);
  if (h->config.checks_each_increment && h->watch.finds_stores)
    stop_world(h);
  check_increment(h);
  resume_world(h);
  acre_gc_dirty_close(h);
  h->cycle.own_stack = 0;
  if (h->is_checked)
    acre_sanitizer_resume();
  return is_done;
}

/* The frames of the collector hold pointers to objects of all colours; what the program holds in
   registers that calls preserve goes to this frame, above them. */
bool acre_gc_cycle_step(heap *h, size_t words, size_t objects, uint64_t marked_until) {
  ACRE_ASSERT(is_collecting(h));
  ACRE_ASSERT(h->cycle.own_stack == 0);
  __builtin_unwind_init();
  bool is_done = step_below(h, words, objects, marked_until);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
  return is_done;
}

void acre_gc_cycle_run_to_end(heap *h) {
  while (!acre_gc_cycle_step(h, NO_BOUND, NO_BOUND, UINT64_MAX))
    ;
}

/* -- Entry points ------------------------------------------------------------------------------ */

void acre_heap_collect_start(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  if (h->cycle.phase == PHASE_IDLE) {
    uint64_t begin = event_begin(h);
    if (h->watch.finds_stores)
      acre_procfs_hold();
    if (h->watch.finds_stores && h->config.is_incremental && !h->watch.is_tracked)
      h->config.is_incremental = acre_gc_dirty_start(h);
    start(h);
    pace_set_due(h,
                 h->config.is_incremental ? heap_clock(h) + h->config.increment_bytes : UINT64_MAX);
    event_end(h, ACRE_HEAP_EVENT_BEGIN, begin, 0);
  }
}

bool acre_heap_collect_some(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  return h->cycle.phase == PHASE_IDLE ||
         acre_gc_cycle_step(h, h->config.increment_words, h->config.increment_objects, UINT64_MAX);
}

void acre_heap_collect_finish(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  if (h->cycle.phase != PHASE_IDLE)
    acre_gc_cycle_run_to_end(h);
}

__attribute__((noinline)) void acre_gc_clear_dead_stack(void) {
  char dead[DEAD_STACK_BYTES];
  memset(dead, 0, sizeof dead);
  __asm__ volatile("" : : "r"(dead) : "memory");
}

void acre_heap_collect(acre_heap *head) {
  bool scans_stack = acre_gc_heap_of(head)->config.scans_memory;
  if (scans_stack)
    acre_gc_clear_dead_stack();
  acre_heap_collect_finish(head);
  acre_heap_collect_start(head);
  if (scans_stack)
    acre_gc_clear_dead_stack();
  acre_heap_collect_finish(head);
}

void acre_heap_stored_slow(acre_heap *head, const void *value) {
  heap *h = (heap *)head;
  ACRE_ASSERT(is_collecting(h));
  mark_value(h, value);
  ACRE_ASSERT(is_not_ecru(h, value));
}

void acre_heap_copied(acre_heap *head, const void *to, size_t size) {
  if (head->is_marking)
    acre_gc_mark_words((heap *)head, to, size);
  ACRE_ASSERT(!head->is_marking || refers_to_nothing_ecru((heap *)head, to, size));
}
