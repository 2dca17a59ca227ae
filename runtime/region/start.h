/* SPDX-License-Identifier: MIT */
/* start.h - the runtime's start.  Internal to the runtime.
 *
 * Entry points called by generated code work before it: they need only tables that are zero at
 * first.
 */
#ifndef ACRE_RUNTIME_REGION_START_H
#define ACRE_RUNTIME_REGION_START_H

#include <stdbool.h>

extern bool acre_is_started;
void acre_runtime_start_slowly(void);
/* Reads the environment, makes the first two regions, sets fork, exit and thread hooks.  Once. */
static inline void acre_runtime_start(void) {
  if (__builtin_expect(!__atomic_load_n(&acre_is_started, __ATOMIC_ACQUIRE), 0))
    acre_runtime_start_slowly();
}

#endif
