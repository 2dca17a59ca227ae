/* SPDX-License-Identifier: MIT */
/* heap_quarantine.h - freed objects that wait until nothing refers to them.  Internal.
 *
 * A heap that has a quarantine reclaims only what was freed, and its epoch never changes.  The two
 * bits of a cell on a page in use, and those of a big object, say
 *
 *     now   before
 *      0      0     white
 *      1      0     black: allocated
 *      1      1     freed, and kept: not looked for by the collection that runs, or found
 *      0      1     ecru: freed, looked for, not found so far
 *
 * Invariant: between collections nothing is ecru.  A thread sets bits of `before` at any time, each
 * once; all else changes with the heap's lock.  freed_big and condemned_big are lists of big
 * objects by next_grey, of those that are freed and kept, and of those that are to be looked for; a
 * big object that is ecru is in no list.  candidates[i] is set while page i may have ecru cells.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_QUARANTINE_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_QUARANTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heap_quarantine {
  bool is_on;
  bool is_condemned;    /* this collection knows what it looks for */
  bool is_swept;        /* it has read all objects once */
  bool has_lost_caches; /* of threads that a fork left behind; what is in them is not freed yet */
  unsigned forks;       /* of the processes that this heap has been in */
  uint8_t *candidates;  /* for each page of the list area */
  uint32_t page;        /* where condemning or releasing goes on */
  uint32_t freed_big, condemned_big;
  uint32_t protected_until; /* pages before it that are still to be read were protected */
  size_t found_groups;      /* of eight words that were read, and some are addresses; or of fewer */
  uint64_t read_ns;         /* what reading the heap has taken in this collection, without what
                               protecting it took */
  double ns_per_byte;       /* that reading what is not freed is expected to take; 0: not known */
  uint64_t last_bytes;      /* what had been freed when this collection started, or the last one */
  uint64_t due_bytes;       /* a collection is due when the program has freed so much */
} heap_quarantine;

#endif
