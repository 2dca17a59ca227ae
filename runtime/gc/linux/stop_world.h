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

/* Valgrind and debuggers use the last one. */
#define ACRE_WORLD_SIGNAL (SIGRTMAX - 1)

#define ACRE_SIGNAL_BIT(signal) (UINT64_C(1) << ((signal) - 1))
/* What a thread does itself: to block these would end the program where it has a handler. */
#define ACRE_SIGNALS_OF_FAULTS                                                     \
  (ACRE_SIGNAL_BIT(SIGSEGV) | ACRE_SIGNAL_BIT(SIGBUS) | ACRE_SIGNAL_BIT(SIGFPE) |  \
   ACRE_SIGNAL_BIT(SIGILL) | ACRE_SIGNAL_BIT(SIGTRAP) | ACRE_SIGNAL_BIT(SIGABRT) | \
   ACRE_SIGNAL_BIT(SIGSYS))

/* Between the two nothing may call malloc or take a lock of the C library: a stopped thread may
   hold it.  To stop it needs a world that runs: one thread at a time, and not nested. */
void acre_gc_world_stop(void);
/* Needs the world stopped. */
void acre_gc_world_resume(void);
bool acre_gc_world_is_stopped(void);
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

#endif
