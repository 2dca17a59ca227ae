/* SPDX-License-Identifier: MIT */
/* trap.h - addresses that tell, when they are used, what was deleted there.  Internal to the
 * runtime.
 *
 * A trap is 64 KiB of address space that cannot be accessed, of one range that is reserved when the
 * first is made.  An address in it takes the place of a pointer that was severed: a load, a store
 * or a call by it faults, and the handler of SIGSEGV tells which slot had the pointer, to what, and
 * where that was deleted.  Comparing and copying it, or storing over it, is nothing special.
 *
 * Calls that make traps take turns, and acre_fault_watch is called before a trap is stored.
 */
#ifndef ACRE_RUNTIME_REGION_TRAP_H
#define ACRE_RUNTIME_REGION_TRAP_H

#include "evidence/log.h"

/* The address that takes the place of value.  Ends words, which say what pointed to what.  here:
   where that is deleted.  Null if there is no address space. */
void *acre_trap_make(const void *value, struct acre_finding *words, const char *here);
/* The address that takes the place of value too, where address was made for a slot of which the
   same is to be said. */
void *acre_trap_again(const void *value, void *address);

#endif
