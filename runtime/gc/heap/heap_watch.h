/* SPDX-License-Identifier: MIT */
/* heap_watch.h - stores without a barrier: how the heap finds them, and how far it has looked.
 * Internal.
 *
 * Invariant: is_protected only where is_tracked, and while a collection runs; is_releasing only
 * between collections.  cycle/rescan.c has what is_protected says of the words of black objects.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_WATCH_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/procfs.h"

typedef struct heap_watch {
  bool finds_stores;    /* nobody says what was stored: the heap finds out */
  bool is_tracked;      /* with the kernel's help, which watches the heap */
  bool asks_for_filled; /* the kernel is asked which pages of a large object were never written */
  bool is_protected; /* what was written is known: each page that is not protected counts as written
                      */
  bool is_releasing; /* PHASE_IDLE: pages before visit_page may be written as if nobody watched; the
                        others wait for it */
  int descriptor;    /* that keeps the kernel watching */
  acre_procfs_identity file; /* what it is of */
  int pagemap;         /* /proc/self/pagemap, while an increment runs that has asked it; else -1 */
  uint32_t visit_page; /* where this pass goes on */
  /* Passes of this collection over what was written: how many; what this one has found, the one
   * before it, and all; when this one began, by the clock, and how long the last one took. */
  unsigned passes, vain_passes; /* vain: one after the other, that found hardly less */
  size_t chased_bytes, last_chased_bytes, chased_in_all;
  uint64_t pass_clock, last_pass_clock;
  uint32_t chase_interval; /* bytes allocated between two steps of a pass; 0: not known */
  size_t left_bytes; /* while the world is stopped: what may still be visited of what was written */
} heap_watch;

#endif
