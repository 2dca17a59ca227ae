/* SPDX-License-Identifier: MIT */
/* fault.h - the handler of SIGSEGV, and a store that it lets fail.  Internal to the runtime.
 *
 * The handler comes before the program's, and leads on to that.  A program that sets one later has
 * it called alone, until the runtime watches again.
 */
#ifndef ACRE_RUNTIME_PLATFORM_FAULT_H
#define ACRE_RUNTIME_PLATFORM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Told of each fault of the program's.  address: what could not be accessed; code: by which
   instruction, or 0 where that is not known.  Runs in a signal handler. */
typedef void acre_fault_teller(uintptr_t address, uintptr_t code);
/* There are at most so many, each told once for all. */
#define ACRE_FAULT_TELLERS 4
void acre_fault_tell(acre_fault_teller *teller);

/* From now on the handler comes before the one that the program has.  One or two system calls.
   Callers take turns. */
void acre_fault_watch(void);

/* The word at slot becomes value if it is expected, as one step for all threads.  False, and
 * nothing has changed, if it is something else, or if memory there is unmapped or not to be
 * written.  Needs an aligned slot, and acre_fault_watch to have been called. */
bool acre_fault_exchange(uintptr_t slot, void *expected, void *value);

#endif
