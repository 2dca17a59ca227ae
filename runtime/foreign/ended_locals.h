/* SPDX-License-Identifier: MIT */
/* ended_locals.h - what becomes of a pointer to a local variable that has ended, where memory that
 * goes on holds it: by default an address whose use faults.  Internal to the runtime.
 *
 * A program may leave such a pointer and never use it, which is no mistake.  So it is not ended
 * where the variable ends, but where it loads, stores or calls by the pointer: the handler of
 * SIGSEGV tells which variable that was, who had the pointer, and where that was stored.
 *
 * Each such address lies in a span of 64 KiB that cannot be accessed, of a range that is reserved
 * when the first is made. A span stands for all pointers that one line stored to a variable that
 * one line ended; what is told is of the last of them.
 */
#ifndef ACRE_RUNTIME_FOREIGN_ENDED_LOCALS_H
#define ACRE_RUNTIME_FOREIGN_ENDED_LOCALS_H

#include <acre/abi.h>
#include <stdbool.h>
#include <stdint.h>

/* ACRE_LOCALS=abort: the program ends where the variable does. */
bool acre_ended_locals_are_fatal(void);

struct acre_ended_local {
  uintptr_t slot, held;                /* who had the pointer, and it */
  uintptr_t start;                     /* of the variable; 0: not known */
  const char *name;                    /* null: not known */
  const acre_rt_where *ended, *stored; /* the end may not be known */
};

/* Puts such an address into the slot, which is on the calling thread's stack or may have gone.
   False: there is no address space, or the slot is not aligned; nothing has changed. */
bool acre_ended_local_trap(const struct acre_ended_local *ended, bool is_on_stack);

/* Around a fork. */
void acre_ended_locals_lock(void);
void acre_ended_locals_unlock(void);

#endif
