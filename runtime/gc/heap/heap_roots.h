/* SPDX-License-Identifier: MIT */
/* heap_roots.h - where the program keeps pointers: ranges, frames, handles, all other memory.
 * Internal.
 *
 * Invariant: cycle/roots.c has it.  How far the search is: `step`, `cursor`, range_index and
 * range_offset, clean_depth, foreign_at.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_ROOTS_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_ROOTS_H

#include <acre/heap.h>

#include "gc/heap/handles.h"
#include "platform/os.h"

/* How much memory there is outside the heap.  Little is searched at once, when a collection starts
 * and in its last stop. */
enum foreign_size { FOREIGN_UNKNOWN = 0, FOREIGN_LITTLE, FOREIGN_MUCH };

typedef struct root_range {
  const char *start;
  size_t size;
  bool is_protected;
} root_range;

typedef struct heap_roots {
  root_range *ranges;
  size_t range_count, range_capacity;
  size_t range_index, range_offset; /* what is scanned of the protected ones */
  acre_heap_frame no_frame;         /* below all others, without variables */
  size_t clean_depth;               /* frames up to this depth are scanned and have not run since */
  handle_table handles, weaks, finals;
  handle_cursor cursor; /* of the table that is looked at now */
  unsigned step;        /* which table that is, in the roots phase */
  handle_entry *queue_first, *queue_last;
  acre_os_range *excluded; /* config.scans_memory: see root_memory.c */
  uintptr_t foreign_at;    /* foreign_roots.c: where this pass over the memory outside the heap goes
                              on; UINTPTR_MAX: it is done */
  bool is_foreign_watched; /* all of that memory has been searched in this collection, and what is
                              written since is known */
  size_t foreign_words; /* what may be searched at once of that memory when a collection starts; 0:
                           nothing */
  bool is_foreign_late; /* its first pass goes on while what was written is chased */
  enum foreign_size foreign_size;
  size_t foreign_bytes; /* what this collection has read of that memory so far, or the last one */
  struct outside *outside; /* room for it; null until it is needed */
} heap_roots;

#endif
