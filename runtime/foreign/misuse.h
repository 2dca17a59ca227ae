/* SPDX-License-Identifier: MIT */
/* misuse.h - what a program gives to free and its kin although no allocator gave it.  Internal.
 *
 * Told are addresses in the collected heap where no object starts; on the stack of the calling
 * thread; in the program and its libraries; in the window of regions; and, where free is the C
 * library's, memory that has no header of its own. What another malloc gave is that one's to judge.
 */
#ifndef ACRE_RUNTIME_FOREIGN_MISUSE_H
#define ACRE_RUNTIME_FOREIGN_MISUSE_H

#include <acre/abi.h>
#include <acre/heap.h>

/* p is an address of the heap, but not the start of an object.  Does not return.  Needs the lock of
 * the process's heap. */
_Noreturn void acre_gc_misuse_of_heap(acre_heap *h, const void *p, const char *function,
                                      const acre_rt_where *where);

/* The object at p was freed before: told, and the program goes on. */
void acre_gc_misuse_again(const void *p, const char *function, const acre_rt_where *where);

/* Until acre_gc_misuse_told, what is refused was given to this function, and there. */
void acre_gc_misuse_tell(const char *function, const acre_rt_where *where);
void acre_gc_misuse_told(void);
/* "acre: fatal: ", where, the function, which is this one if nothing was told, and p. */
void acre_gc_misuse_begin(const void *p, const char *function);

#endif
