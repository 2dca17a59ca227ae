/* SPDX-License-Identifier: MIT */
/* collected_waits.h - what the functions share that go on after a stop of their thread.  Internal
 * to what is linked into programs: collected_waits.c, collected_transfers.c.
 */
#ifndef ACRE_FOREIGN_COLLECTED_WAITS_H
#define ACRE_FOREIGN_COLLECTED_WAITS_H

#include <acre/abi.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

/* Finds the C library's functions of the names that both files have. */
void acre_collected_find_waits(void) __attribute__((visibility("hidden")));
/* The same for those of collected_transfers.c only. */
void acre_collected_find_transfers(void) __attribute__((visibility("hidden")));

/* ISO C has no conversion from void * to a function's address. */
static inline void acre_find_next(const char *name, void *function) {
  *(void **)function = dlsym(RTLD_NEXT, name);
}

/* Has a call that failed been ended by nothing but a stop?  frame is that of the function that made
 * the call, which has told the runtime to forget earlier stops. */
static inline bool acre_was_only_stopped(const void *frame) {
  return errno == EINTR && acre_rt_gc_was_only_stopped(frame);
}

#endif
