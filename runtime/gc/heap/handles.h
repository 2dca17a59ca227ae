/* handles.h - slots that stay where they are: handles, weak references, finalizable objects.
 * Internal.
 *
 * Slots come in chunks of a page, which are kept until the heap goes.  Invariant: an unused slot is
 * in `unused`.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HANDLES_H
#define ACRE_RUNTIME_GC_HEAP_HANDLES_H

#include "gc/heap/heap.h"

/* A slot in use, with object; null when memory is out. */
handle_entry *acre_gc_handles_take(handle_table *t, void *object);
void acre_gc_handles_return(handle_table *t, handle_entry *s);
void acre_gc_handles_end(handle_table *t);
/* The slot at the cursor, which moves on, whether it is in use or not; null at the end.  Start with
 * a cursor of zero. */
handle_entry *acre_gc_handles_next(const handle_table *t, handle_cursor *cursor);
/* Calls visit with the memory of each chunk. */
void acre_gc_handles_each_chunk(const handle_table *t,
                                void (*visit)(const void *start, size_t size, void *context),
                                void *context);

#endif
