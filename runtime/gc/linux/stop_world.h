/* SPDX-License-Identifier: MIT */
/* stop_world.h - stopping all other threads of the process.  Internal.
 *
 * Threads need not be known: the system lists them.  Each is sent a signal, and waits in its
 * handler, where its registers are on its stack.  A thread that blocks the signal cannot be
 * stopped; the signal is ACRE_WORLD_SIGNAL.
 */
#ifndef ACRE_RUNTIME_GC_LINUX_STOP_WORLD_H
#define ACRE_RUNTIME_GC_LINUX_STOP_WORLD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/os.h"

/* Valgrind and debuggers use the last one. */
#define ACRE_WORLD_SIGNAL (SIGRTMAX - 1)

#define ACRE_SIGNAL_BIT(signal) (UINT64_C(1) << ((signal) - 1))
/* What a thread does itself: to block these would end the program where it has a handler. */
#define ACRE_SIGNALS_OF_FAULTS                                                     \
  (ACRE_SIGNAL_BIT(SIGSEGV) | ACRE_SIGNAL_BIT(SIGBUS) | ACRE_SIGNAL_BIT(SIGFPE) |  \
   ACRE_SIGNAL_BIT(SIGILL) | ACRE_SIGNAL_BIT(SIGTRAP) | ACRE_SIGNAL_BIT(SIGABRT) | \
   ACRE_SIGNAL_BIT(SIGSYS))

/* Between the two nothing may call malloc or take a lock of the C library: a stopped thread may
   hold it.  One thread stops the world at a time, others wait until it runs again; not nested. */
void acre_gc_world_stop(void);
/* Needs the world stopped. */
void acre_gc_world_resume(void);
bool acre_gc_world_is_stopped(void);
/* Why the world cannot be stopped: a thread blocks the signal, or threads cannot be listed.  Null
   if nothing is in the way now.  For callers who can do without: acre_gc_world_stop ends the
   program then.  O(threads). */
const char *acre_gc_world_obstacle(void);
/* How long other threads have stood still, all in all: from when they were asked to stop. */
uint64_t acre_gc_world_stopped_nanoseconds(void);

/* The calling thread says that it is there, for where threads cannot be listed: then those are all
 * that can be stopped.  Before it waits for the heap. */
void acre_gc_world_know_thread(void);

/* A part of a stack that is not in use now: from the lowest address to the stack pointer. */
typedef struct acre_gc_dead_stack {
  uintptr_t low, sp;
} acre_gc_dead_stack;
/* The dead part of the stack of the index-th stopped thread.  False past the last.  Where nothing
   is known of a stack, it is empty. */
bool acre_gc_world_dead_stack(uint32_t index, acre_gc_dead_stack *dead);

/* The parts of memory in which a thread's frames are. */
typedef struct acre_gc_live_stack {
  uintptr_t sp, high; /* from its stack pointer to where the stack ends, or at most there */
  bool is_bounded;    /* all of that is the thread's stack; else a mapping may end before */
  acre_os_range left; /* its own stack, of which any part may be in use, if it runs on another one;
                         else empty */
} acre_gc_live_stack;
/* Those of the index-th stopped thread; sp is 0 if it is gone.  False past the last. */
bool acre_gc_world_live_stack(uint32_t index, acre_gc_live_stack *live);
/* Those of the calling thread, whose stack pointer is sp.  Safe in signal handlers. */
acre_gc_live_stack acre_gc_own_live_stack(uintptr_t sp);

/* Nobody but the calling thread stops the world until it is let go, so no signal for that waits for
 * the thread.  False in the child of a vfork, whose parent's lock would stay taken. */
bool acre_gc_world_hold(void);
void acre_gc_world_let_go(void);

/* Nobody stops the world while a thread forks, but that thread.  To be called once, before the
   handlers of what stops the world with a lock held: those that are registered first lock last. */
void acre_gc_world_prepare_for_forks(void);

#endif
