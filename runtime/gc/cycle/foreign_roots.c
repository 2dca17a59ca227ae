/* SPDX-License-Identifier: MIT */
/* foreign_roots.c - see foreign_roots.h.  Memory outside the heap is watched as the heap is
 * (docs/design/collector/roots.md, In slices).
 *
 * Invariant: in the first pass, of the addresses before foreign_at, and where is_foreign_watched
 * says so of all, each word that the program may use as a pointer refers to no ecru object, unless
 * its page has been written since the kernel last protected it, or its mapping is not watched, or
 * was not mapped then.  A page is protected, then read.
 *
 * What is protected is read in the same step, or given up for this collection: so a page that is
 * not written, of a mapping that is watched, was read in this collection, because the pass came by
 * where it is.  A mapping that is new, or has moved, is not watched, however often its addresses
 * were.
 */
#define _GNU_SOURCE
#include "gc/cycle/foreign_roots.h"

#include <errno.h>
#include <unistd.h>

#include "gc/cycle/mark.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/rescan.h"
#include "gc/linux/dirty.h"
#include "gc/linux/mappings.h"
#include "gc/linux/root_memory.h"
#include "gc/linux/stop_world.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/procfs.h"

/* Pages of the system at a time; the latter in a heap with a quarantine, where reading leads to
 * nothing. */
#define STEP_PAGES 8
#define STEP_PAGES_MAX 16
#define PAGE_MAX 8192 /* of the system; dirty.c asks for no larger one */
#define STACKS_MAX 1024
/* It looks at so much for one question, if nothing there was written. */
#define QUESTION_BYTES ((size_t)4 << 20)
/* From so many on two questions are faster than one. */
#define LARGE_BYTES ((size_t)1 << 20)
/* What the questions to the kernel about one part of a mapping take, in slots; and to stop all
 * threads. */
#define QUESTION_WORDS 300
#define STOP_WORDS 3000
#define PASS_DONE UINTPTR_MAX
/* So often it is looked whether there still is much of that memory. */
#define MUCH_COLLECTIONS 16

typedef struct outside {
  char copy[STEP_PAGES_MAX * PAGE_MAX];
  /* Pages below stack pointers when this collection stopped the world: what a thread stores there
   * later is a write. */
  size_t stack_count;
  acre_gc_dead_stack stacks[STACKS_MAX];
} outside;

typedef struct walk {
  heap *heap;
  bool is_last; /* nothing else runs: memory is read where it is */
  bool has_failed;
  size_t excluded,
      excluded_here; /* ranges: everywhere; in this mapping, with the dead parts of stacks */
  size_t words;      /* that were read */
  int maps;
  acre_gc_mapping mapping;
} walk;

/* -- Files ------------------------------------------------------------------------------------- */

static bool open_files(walk *w) {
  w->maps = acre_procfs_open(FILE_MAPS);
  w->mapping = (acre_gc_mapping){.pagemap = acre_gc_dirty_pagemap(w->heap),
                                 .page_size = (size_t)sysconf(_SC_PAGESIZE)};
  return w->maps >= 0 && w->mapping.pagemap >= 0 && acre_gc_dirty_is_open(w->heap);
}

static void close_files(const walk *w) { acre_procfs_close(FILE_MAPS, w->maps); }

/* -- Pages ------------------------------------------------------------------------------------- */

/* Where it is, if nothing else runs.  Another thread may unmap what is read here: then its pages
   are gone, but it may have made them unreadable only. */
static void read_part(walk *w, uintptr_t start, uintptr_t end) {
  char *copy = w->heap->roots.outside->copy;
  w->words += (end - start) / sizeof(void *);
  if (w->is_last || acre_is_single_threaded())
    acre_gc_mark_words(w->heap, (const char *)start, end - start);
  else if (acre_os_read((const void *)start, copy, end - start))
    acre_gc_mark_words(w->heap, copy, end - start);
  else
    w->has_failed = true;
}

/* Pages may be excluded in part. */
static void read_pages(uintptr_t start, uintptr_t end, void *context) {
  walk *w = context;
  for (uintptr_t at = start; at < end;) {
    acre_os_range gap = acre_gc_memory_next_excluded(w->heap, w->excluded_here, at, end);
    if (gap.start > at)
      read_part(w, at, gap.start < end ? gap.start : end);
    at = gap.end;
  }
}

static void visit_pages(void *context, uintptr_t start, uintptr_t end, bool is_swapped) {
  walk *w = context;
  if (is_swapped) /* or a page that guards a stack */
    acre_gc_mapping_pages(&w->mapping, start, end, read_pages, w);
  else
    read_pages(start, end, w);
}

static void note_page(void *context, uintptr_t start, uintptr_t end, bool is_swapped) {
  (void)start, (void)end, (void)is_swapped;
  ((walk *)context)->has_failed = true;
}

/* The next excluded pages: those that only partly are do not count. */
static acre_os_range next_gap(const walk *w, size_t excluded, uintptr_t at, uintptr_t end) {
  size_t mask = w->mapping.page_size - 1;
  for (uintptr_t from = at;;) {
    acre_os_range gap = acre_gc_memory_next_excluded(w->heap, excluded, from, end);
    acre_os_range pages = {(gap.start + mask) & ~mask, gap.end & ~mask};
    if (gap.start >= end)
      return (acre_os_range){end, end};
    if (pages.start < pages.end && pages.end > at)
      return pages;
    from = gap.end;
  }
}

/* Is the mapping watched around `at`, as far as it is not excluded everywhere?  Where only the rest
   of a mapping, or what is in use of a stack, were watched, the system would divide it: then the
   program could not move it as one any more. */
static bool watch_at(const walk *w, uintptr_t at) {
  uintptr_t start = w->mapping.start;
  for (acre_os_range gap; (gap = next_gap(w, w->excluded, start, w->mapping.end)).start < at;)
    start = gap.end;
  return acre_gc_dirty_watch(w->heap, start, next_gap(w, w->excluded, at, w->mapping.end).start);
}

/* While nothing else runs: what was written of a part of the mapping, or all of it where we do not
 * watch it, even if others do. */
static void search_part_last(walk *w, uintptr_t start, uintptr_t end) {
  acre_gc_dirty_question q = {.pagemap = w->mapping.pagemap,
                              .start = start,
                              .end = end,
                              .only_written = true,
                              .may_be_of_file = !w->mapping.is_anonymous};
  bool is_known = watch_at(w, start);
  if (is_known && end - start >= LARGE_BYTES)
    is_known = acre_gc_dirty_outside_written(&q, visit_pages, w);
  else if (is_known)
    is_known = acre_gc_dirty_outside(&q, visit_pages, w) != 0;
  if (!is_known)
    acre_gc_mapping_pages(&w->mapping, start, end, read_pages, w);
}

/* The first pass of a collection reads what is there, written or not. */
static bool is_first_pass(const heap *h) {
  return h->cycle.phase == PHASE_ROOTS || h->roots.is_foreign_late;
}

/* A part of the mapping, without what is excluded.  Returns where the search ended. */
static uintptr_t search_part(walk *w, uintptr_t start, uintptr_t end) {
  bool is_first = is_first_pass(w->heap);
  bool is_watched = watch_at(w, start);
  acre_gc_dirty_question q = {.pagemap = w->mapping.pagemap,
                              .start = start,
                              .end = end,
                              .most = w->heap->quarantine.is_on ? STEP_PAGES_MAX : STEP_PAGES,
                              .only_written = !is_first,
                              .may_be_of_file = !w->mapping.is_anonymous,
                              .protects = true};
  if (end - start > QUESTION_BYTES)
    q.end = start + QUESTION_BYTES;
  uintptr_t at = is_watched ? acre_gc_dirty_outside(&q, visit_pages, w) : 0;
  if (at)
    return at;
  /* Not in slices: it is searched whole when the world is stopped.  Unless a question has protected
     a part of it, or memory was out, so that a part may be watched. */
  w->has_failed |= is_watched || errno == ENOMEM;
  return end;
}

/* -- Mappings ---------------------------------------------------------------------------------- */

/* Stacks as they are now, or have been. */
static size_t exclude_stacks(const walk *w) {
  uintptr_t start = w->mapping.start, end = w->mapping.end;
  const outside *o = w->heap->roots.outside;
  size_t count = w->excluded;
  if (!w->is_last) {
    for (size_t i = 0; i < o->stack_count; i++)
      count = acre_gc_memory_exclude_dead(w->heap, count, &o->stacks[i], start, end);
    return count;
  }
  acre_gc_dead_stack dead = acre_gc_memory_own_dead(w->heap);
  count = acre_gc_memory_exclude_dead(w->heap, count, &dead, start, end);
  for (uint32_t i = 0; acre_gc_world_dead_stack(i, &dead); i++)
    count = acre_gc_memory_exclude_dead(w->heap, count, &dead, start, end);
  return count;
}

/* From at on, in one mapping: a question or more.  Returns where it ended. */
static uintptr_t search_mapping(walk *w, acre_gc_mapping_kind kind, uintptr_t at) {
  uintptr_t end = w->mapping.end;
  if (kind == MAPPING_SKIPPED || (kind == MAPPING_SHARED && !w->is_last))
    return end;
  at = at > w->mapping.start ? at : w->mapping.start;
  w->excluded_here = exclude_stacks(w);
  acre_os_range gap = next_gap(w, w->excluded_here, at, end);
  if (gap.start <= at)
    return gap.end;
  if (kind == MAPPING_PRIVATE && !w->is_last)
    return search_part(w, at, gap.start);
  if (kind == MAPPING_PRIVATE)
    search_part_last(w, at, gap.start);
  else if (kind == MAPPING_SHARED)
    acre_gc_mapping_pages(&w->mapping, at, gap.start, read_pages, w);
  else if (!w->is_last) /* HIDDEN: of what was watched once, nobody would know when it is to be seen
                           again */
    acre_gc_dirty_outside(&(acre_gc_dirty_question){.pagemap = w->mapping.pagemap,
                                                    .start = at,
                                                    .end = gap.start,
                                                    .most = 1,
                                                    .protects = true},
                          note_page, w);
  return gap.start;
}

/* -- Passes ------------------------------------------------------------------------------------ */

void acre_gc_foreign_give_up(heap *h) {
  h->roots.is_foreign_watched = h->roots.is_foreign_late = false;
  h->roots.foreign_at = PASS_DONE;
}

/* With the world stopped: where the stacks end.  Threads that start later write all of theirs.  A
   page that is dead only in part will be protected, so that what a thread has stored there until
   then will be no write, and has to be read. */
static void note_stacks(heap *h) {
  outside *o = h->roots.outside;
  uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
  acre_gc_dead_stack dead = acre_gc_memory_own_dead(h);
  bool is_there = true;
  for (uint32_t i = 0; is_there && o->stack_count < STACKS_MAX;
       is_there = acre_gc_world_dead_stack(i++, &dead)) {
    acre_gc_dead_stack pages = {(dead.low + mask) & ~mask, dead.sp & ~mask};
    if (pages.low < pages.sp)
      o->stacks[o->stack_count++] = pages;
  }
}

void acre_gc_foreign_start_late(heap *h) {
  ACRE_ASSERT(h->cycle.phase == PHASE_SETTLE);
  h->roots.foreign_size = FOREIGN_MUCH;
  if (!h->watch.is_tracked || !h->roots.outside)
    return;
  h->roots.foreign_at = 0;
  h->roots.is_foreign_late = true;
}

void acre_gc_foreign_start(heap *h) {
  h->roots.foreign_bytes = 0;
  h->roots.is_foreign_late = false;
  h->roots.foreign_at = 0;
  h->roots.is_foreign_watched = false;
  bool may_know = h->quarantine.is_on || h->roots.foreign_size == FOREIGN_MUCH;
  if (!may_know || h->account.stats.collections % MUCH_COLLECTIONS == 0)
    h->roots.foreign_size = FOREIGN_UNKNOWN;
  if (h->watch.is_tracked && !h->roots.outside)
    h->roots.outside = acre_os_table(sizeof *h->roots.outside);
  if (!h->watch.is_tracked || !h->roots.outside)
    acre_gc_foreign_give_up(h);
}

void acre_gc_foreign_again(heap *h) {
  if (h->roots.is_foreign_watched)
    h->roots.foreign_at = 0;
}

/* What a question took, with the reading that followed it. */
static size_t slots_of_question(const heap *h, size_t words, size_t groups) {
  size_t read = h->quarantine.is_on ? words / SWEPT_AT_ONCE + groups * SWEPT_AT_ONCE
                                    : words / VISITED_AT_ONCE;
  return read + QUESTION_WORDS;
}

bool acre_gc_foreign_some(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_ROOTS || h->cycle.phase == PHASE_CHASE);
  ACRE_ASSERT(!acre_gc_world_is_stopped());
  if (h->roots.foreign_at == PASS_DONE)
    return true;
  int saved_errno = errno;
  walk w = {.heap = h};
  bool is_possible =
      open_files(&w) && (h->roots.foreign_at != 0 || acre_gc_mapping_next_works(w.maps));
  if (!is_possible) {
    acre_gc_foreign_give_up(h);
  } else if (h->roots.foreign_at == 0 && is_first_pass(h)) {
    acre_gc_world_stop();
    h->roots.outside->stack_count = 0;
    note_stacks(h);
    acre_gc_world_resume();
    h->roots.foreign_at = 1; /* nothing is mapped there */
    budget_use(b, STOP_WORDS);
  }
  w.excluded = acre_gc_memory_exclude(h);
  while (h->roots.foreign_at != PASS_DONE && b->words > 0) {
    acre_gc_mapping_kind kind = acre_gc_mapping_next(w.maps, h->roots.foreign_at, &w.mapping);
    size_t before = w.words, groups = h->quarantine.found_groups;
    if (kind == MAPPING_NONE && !acre_gc_mapping_next_works(w.maps)) {
      w.has_failed = true; /* somebody has closed it meanwhile */
    } else if (kind == MAPPING_NONE) {
      h->roots.foreign_at = PASS_DONE;
      h->roots.is_foreign_watched = true;
      h->roots.is_foreign_late = false;
    } else {
      h->roots.foreign_at = search_mapping(&w, kind, h->roots.foreign_at);
    }
    if (w.has_failed)
      acre_gc_foreign_give_up(h);
    size_t words = w.words - before;
    if (h->cycle.phase == PHASE_CHASE)
      acre_gc_chase_found(h, words * sizeof(void *));
    else
      h->roots.foreign_bytes += words * sizeof(void *);
    budget_use(b, slots_of_question(h, words, h->quarantine.found_groups - groups));
  }
  close_files(&w);
  errno = saved_errno;
  return h->roots.foreign_at == PASS_DONE;
}

static void read_word(const char *start, size_t size, void *context) {
  acre_gc_mark_words(context, start, size);
}

bool acre_gc_foreign_last(heap *h) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  if (!h->watch.is_tracked || !h->roots.is_foreign_watched)
    return false;
  int saved_errno = errno;
  walk w = {.heap = h, .is_last = true};
  bool is_possible = open_files(&w);
  w.excluded = acre_gc_memory_exclude(h);
  for (uintptr_t at = 0; is_possible;) {
    acre_gc_mapping_kind kind = acre_gc_mapping_next_readable(w.maps, at, &w.mapping);
    if (kind == MAPPING_NONE) {
      is_possible = acre_gc_mapping_next_works(w.maps);
      break;
    }
    at = search_mapping(&w, kind, at);
  }
  acre_gc_memory_stacks(read_word, h);
  note_stacks(h); /* the program may run on */
  close_files(&w);
  errno = saved_errno;
  return is_possible;
}

bool acre_gc_foreign_was_dead(const heap *h, const void *word) {
  uintptr_t at = (uintptr_t)word;
  const outside *o = h->roots.outside;
  for (size_t i = 0; h->roots.is_foreign_watched && i < o->stack_count; i++)
    if (at >= o->stacks[i].low && at < o->stacks[i].sp)
      return true;
  return h->roots.is_foreign_watched && o->stack_count == STACKS_MAX;
}

void acre_gc_foreign_end(heap *h) {
  if (h->roots.outside)
    acre_os_unreserve(h->roots.outside, sizeof *h->roots.outside);
}
