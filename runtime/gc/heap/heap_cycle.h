/* SPDX-License-Identifier: MIT */
/* heap_cycle.h - the collection that runs: its phase, what is grey, how far the scan is.  Internal.
 *
 * Invariant: cycle/cycle.h has that of a collection.  Of the structure: what is grey can be found:
 * a ring with grey cells is in grey_rings, a page with grey cells in the queue from grey_first to
 * grey_last, or they are in grey_cells; and scan.object, if it is not null, is black, and its slots
 * before scan are visited.  Between collections (PHASE_IDLE) nothing is grey.  is_world_stopped and
 * own_stack are set only while a step runs, keeps_grey_cells and holder only while it scans.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_CYCLE_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_CYCLE_H

#include "gc/heap/heap_cells.h"

#define GREY_CELLS 64

enum phase {
  PHASE_IDLE = 0,
  PHASE_ROOTS,
  PHASE_CHASE,
  PHASE_SETTLE,
  PHASE_WEAK,
  PHASE_FINAL,
  PHASE_LAST
};

/* An object whose slots are visited, perhaps in several increments. */
typedef struct scan {
  char *object; /* null: none */
  size_t size;
  const acre_type *type; /* null: every word */
  size_t base;           /* of the array element, or of the words */
  uint32_t run, index;
  size_t watched; /* of a big object: so much is known to be protected (rescan.h) */
  size_t filled;  /* of a sparse one: up to here its words are not just zeros */
} scan;

/* What the rest of an increment may do. */
typedef struct budget {
  size_t words, objects;
  uint64_t marked_until; /* of pace.cycle_marked */
} budget;

typedef struct heap_cycle {
  uint64_t epoch;
  enum phase phase;
  ring *grey_rings;
  uint32_t grey_first, grey_last,
      grey_word; /* uses_bitmaps: pages with grey cells, and where in the first of them */
  /* uses_bitmaps, while cells are scanned: the grey cells that come next, last in, first out, by
   * their distance from the heap's first. */
  size_t grey_cells[GREY_CELLS], grey_cell_count;
  bool keeps_grey_cells;
  scan scan;
  const char *marked_big; /* the big object that this collection found marked last, and its bytes;
                             0: none */
  size_t marked_big_bytes;
  const void *holder; /* the object that is being scanned just now; null: a root */
  const void *place;  /* has_freed, and the world is stopped: the word of such a root; else null */
  size_t
      pages_touched; /* brought up to date by this increment, and not yet counted in its budget */
  unsigned settled;  /* times that settling at once took too long, and the program ran on */
  bool is_world_stopped; /* all of an increment */
  bool has_snapshot;     /* the memory of the process has been scanned in this increment, while the
                            world is stopped */
  bool is_whole; /* this collection runs in one stop from its first step on: nothing changes under
                    it */
  uintptr_t own_stack; /* of the thread that collects: no frame below it holds a pointer of the
                          program; 0: not known */
} heap_cycle;

#endif
