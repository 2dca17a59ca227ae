/* SPDX-License-Identifier: MIT */
/* waits.h - system calls that wait, and are not to end early because a collection stopped their
 * thread.  Internal.
 *
 * A handler makes the kernel end them with EINTR, even where handlers are to restart calls
 * (signal(7)).  Those of acre_rt_gc_wait begin again; callers of others ask acre_rt_gc_only_stopped
 * whether they have to (abi.h).
 */
#ifndef ACRE_RUNTIME_GC_LINUX_WAITS_H
#define ACRE_RUNTIME_GC_LINUX_WAITS_H

/* The handler that stops a thread calls these first and last, with its ucontext_t and all signals
 * blocked. */
void acre_gc_waits_begin_stop(void *context);
void acre_gc_waits_end_stop(void *context);

#endif
