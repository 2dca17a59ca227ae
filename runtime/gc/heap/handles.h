/* SPDX-License-Identifier: MIT */
/* handles.h - entries that stay where they are: handles, weak references, finalizable objects.
 * Internal.
 *
 * Entries come in chunks of a page, which are kept until the heap goes.  Invariant: an entry is
 * ENTRY_UNUSED and in `unused`, or in use.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HANDLES_H
#define ACRE_RUNTIME_GC_HEAP_HANDLES_H

#include <stddef.h>
#include <stdint.h>

/* An entry of a table: a handle, a weak reference, a finalizable object. */
typedef struct handle_entry {
  void *object; /* null: not in use, or cleared */
  struct handle_entry *next;
  uint8_t state;
} handle_entry;
enum { ENTRY_UNUSED = 0, ENTRY_USED = 1, ENTRY_QUEUED = 2 };

struct handle_chunk;
typedef struct handle_table {
  struct handle_chunk *first;
  handle_entry *unused;
} handle_table;
/* A place in a table. */
typedef struct handle_cursor {
  struct handle_chunk *chunk;
  size_t index;
} handle_cursor;

/* An entry in use, with object; null when memory is out. */
handle_entry *acre_gc_handles_take(handle_table *t, void *object);
/* Needs an entry in use. */
void acre_gc_handles_return(handle_table *t, handle_entry *s);
void acre_gc_handles_end(handle_table *t);
/* The entry at the cursor, which moves on, whether it is in use or not; null at the end.  Start
 * with a cursor of zero. */
handle_entry *acre_gc_handles_next(const handle_table *t, handle_cursor *cursor);
/* Calls visit with the memory of each chunk. */
void acre_gc_handles_each_chunk(const handle_table *t,
                                void (*visit)(const void *start, size_t size, void *context),
                                void *context);

#endif
