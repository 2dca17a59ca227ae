/* SPDX-License-Identifier: MIT */
/* process.h - the collected heap of the process, and how large it may become.  Internal.
 *
 * All threads use the heap, under one lock.  Collections are incremental where the kernel tells
 * what was written, else whole, with all threads stopped: in neither way needs a store a barrier,
 * so code that was not compiled by acre-cc may store pointers in collected objects.
 */
#ifndef ACRE_RUNTIME_GC_PROCESS_PROCESS_H
#define ACRE_RUNTIME_GC_PROCESS_PROCESS_H

#include <acre/abi.h>

#include <stdbool.h>
#include <stddef.h>

/* Null until it is needed; then it stays. */
extern struct heap *acre_gc_process;
/* The exit status that ACRE_HEAP sets for a program whose heap has reported something; 0: none. */
extern unsigned acre_gc_process_report_status;

/* How the heap is used while a call holds the lock. */
typedef struct acre_gc_use {
  struct heap *heap;
  int saved_errno;
  bool is_locked; /* and to be unlocked */
  bool forbids_cancel;
} acre_gc_use;
/* Makes the heap first if there is none.  Needs a thread that is not in the heap: not nested. */
acre_gc_use acre_gc_process_enter(void);
/* Registers the fork handlers of the lock, once: for a module that holds a lock when it enters the
 * heap, as with acre_pages_prepare_for_forks. */
void acre_gc_process_prepare_for_forks(void);
/* Unlocks, and restores errno.  Needs what entered, by the same thread. */
void acre_gc_process_leave(const acre_gc_use *use);

/* The calling thread ends. */
struct acre_thread;
void acre_gc_process_end_thread(struct acre_thread *thread);

/* Is p an address in the heap where there is no object: it has been collected?  Takes the lock. */
bool acre_gc_process_is_dead(const void *p);
bool acre_gc_process_exists(void);
/* The object in the heap that p points into, or just past: its start, or null if there is none, and
   its size.  Takes the lock; null in a signal handler that has interrupted a call of the heap. */
const char *acre_gc_process_object(const void *p, size_t *size);
/* Its bytes, or ACRE_RANGE_OF_ALL.  Without the lock, for code that may use p: what is referred to
   keeps its place, its entry in the page table and the size in its header.  Of any other address
   the answer may be an object that was there. */
acre_rt_range acre_gc_process_range(const void *p);
/* Whether p, in an object that has not been freed, can be read.  While there is one thread it is
   trusted not to have closed pages of an object by mprotect; else the cell has to be too small to
   have a page of its own.  Without the lock, for code that may use p. */
bool acre_gc_process_is_readable(const void *p);

#endif
