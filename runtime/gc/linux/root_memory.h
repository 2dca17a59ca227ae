/* SPDX-License-Identifier: MIT */
/* root_memory.h - all memory of the process as roots of a heap, by the word.  Internal. */
#ifndef ACRE_RUNTIME_GC_LINUX_ROOT_MEMORY_H
#define ACRE_RUNTIME_GC_LINUX_ROOT_MEMORY_H

#include "gc/heap/heap.h"
#include "gc/linux/stop_world.h"

/* Room for the exclusions of a heap with config.scans_memory.  False when memory is out. */
bool acre_gc_memory_start(heap *h);
void acre_gc_memory_end(heap *h);

/* Calls visit with ranges that hold every word of the process outside the heap that may be a
   pointer into it: mappings, the stack of the calling thread from here up and its registers, other
   threads' stacks from their stack pointers up. Other threads must be stopped, or must not store
   pointers into the heap. */
typedef void acre_gc_memory_visit(const char *start, size_t size, void *context);
void acre_gc_memory_each(const heap *h, acre_gc_memory_visit *visit, void *context);
/* The same up to so many words, as which mappings and their pages count too.  False if that is not
 * all. */
bool acre_gc_memory_some(const heap *h, size_t words, acre_gc_memory_visit *visit, void *context);

/* The words that say where stacks are: part of the above. */
void acre_gc_memory_stacks(acre_gc_memory_visit *visit, void *context);

/* Fills heap->roots.excluded, which it needs, with the ranges that are not searched, stacks left
 * out.  Returns how many.
 */
size_t acre_gc_memory_exclude(const heap *h);
/* The lowest of the first count excluded ranges that overlaps [at, end); {end, end} if there is
 * none. */
acre_os_range acre_gc_memory_next_excluded(const heap *h, size_t count, uintptr_t at,
                                           uintptr_t end);
/* Adds [start, end), if there is room. */
size_t acre_gc_memory_exclude_also(const heap *h, size_t count, uintptr_t start, uintptr_t end);
/* The part below the stack pointer of the stack in [start, end), if there is one. */
size_t acre_gc_memory_exclude_dead(const heap *h, size_t count, const acre_gc_dead_stack *dead,
                                   uintptr_t start, uintptr_t end);
/* The calling thread's. */
acre_gc_dead_stack acre_gc_memory_own_dead(const heap *h);

#endif
