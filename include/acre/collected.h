/* collected.h - the heap of a program that is linked with -facre-malloc=collected: malloc without
 * free.
 *
 * The heap is made by the first allocation.  ACRE_HEAP in the environment sets it up:
 * docs/guide/README.md.  All of this may be called by any thread.
 */
#ifndef ACRE_COLLECTED_H
#define ACRE_COLLECTED_H

#include <acre/heap.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Is p an address in the collected heap, whether or not there is an object?  Of what other code's
 * malloc returned, no. */
acre_bool acre_collected_owns(const void *p);
/* The object that p points into lives until acre_collected_unpin has been called with p as often:
   for pointers that no collection can see, such as those that only the kernel or another process
   has, or that are kept in other words than addresses.  Memory outside the heap needs no pin, and
   has none.  Aborts if there is no memory for it, or if p is not pinned. */
void acre_collected_pin(void *p);
void acre_collected_unpin(void *p);
/* A whole collection, now. */
void acre_collected_collect(void);
void acre_collected_get_stats(acre_heap_stats *stats);
void acre_collected_get_composition(acre_heap_composition *composition);
/* acre_heap_check. */
acre_bool acre_collected_check(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
