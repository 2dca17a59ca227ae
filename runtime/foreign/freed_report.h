/* SPDX-License-Identifier: MIT */
/* freed_report.h - ACRE_HEAP=report: what was freed twice, or is still referred to, with the lines
 * of allocation and of what freed it.  Internal.
 *
 * Each is told once, when a collection finds it, at the latest at exit, where one runs.  `acre
 * explain-heap` reads what is told: the words are a format.
 *
 * Invariant: all but the end is done with the lock of the process's heap, and calls no malloc.
 */
#ifndef ACRE_RUNTIME_FOREIGN_FREED_REPORT_H
#define ACRE_RUNTIME_FOREIGN_FREED_REPORT_H

#include <acre/abi.h>

#include "gc/heap/cell.h"

/* Does the heap report?  Asked with the lock or, by who has seen the heap, without it. */
static inline bool acre_freed_is_reported(const heap *h) { return !h->is_free_a_hint; }

/* The object is freed by the call at `where`, for the first time.  Needs the lock. */
void acre_freed_note(heap *h, const object_view *o, const acre_rt_where *where);
/* The object, which was freed before, is given to a function again.  Needs the lock. */
void acre_freed_again(const object_view *o, const char *function, const acre_rt_where *where);

#endif
