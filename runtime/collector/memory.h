/* memory.h - all memory of the process as roots of a heap, by the word.  Internal. */
#ifndef ACRE_COLLECTOR_MEMORY_H
#define ACRE_COLLECTOR_MEMORY_H

#include "internal.h"

/* Room for the exclusions of a heap with config.scans_memory.  False when memory is out. */
bool acre_gc_memory_start(heap *h);
void acre_gc_memory_end(heap *h);

/* Calls visit with ranges that hold every word of the process outside the heap that may be a pointer into it: mappings, the
   stack of the calling thread from here up and its registers, other threads' stacks from their stack pointers up.
   Other threads must be stopped, or must not store pointers into the heap. */
typedef void acre_gc_memory_visit(const char *start, size_t size, void *context);
void acre_gc_memory_each(const heap *h, acre_gc_memory_visit *visit, void *context);

#endif
