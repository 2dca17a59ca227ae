/* SPDX-License-Identifier: MIT */
/* collected.h - the heap of a program that is linked with -facre-malloc=collected: malloc without
 * free; or with -facre-malloc=quarantine, where only what was freed is reclaimed.
 *
 * The heap is made by the first allocation.  ACRE_HEAP in the environment sets it up; its words are
 * in docs/guide/collected.md.  Any thread may call all of this, but no signal handler: each call
 * but acre_collected_owns takes the lock of the heap.
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

/* Does p point into the address range of the collected heap, whether or not an object is there?
 * Never true of what the C library's malloc returned.  O(1), without the lock. */
acre_bool acre_collected_owns(const void *p);
/* The object that p points into lives until acre_collected_unpin has been called with p as often:
   for pointers that no collection can see, such as those that only the kernel or another process
   has, or that are kept in other words than addresses.  Memory outside the heap needs no pin, and
   has none.  Aborts if there is no memory for it, or if p is not pinned. */
void acre_collected_pin(void *p);
void acre_collected_unpin(void *p);
/* Runs a collection from start to end, now, with all threads stopped.  O(objects in use).  With a
   quarantine it reclaims what was freed before the call, and that nothing refers to. */
void acre_collected_collect(void);
void acre_collected_get_stats(acre_heap_stats *stats);
void acre_collected_get_composition(acre_heap_composition *composition);
/* Checks every invariant of the heap, as acre_heap_check does; false, with a message on stderr, if
 * one does not hold.  O(heap). */
acre_bool acre_collected_check(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
