/* SPDX-License-Identifier: MIT */
/* escaped_locals.h - pointers to local variables that are kept elsewhere, for -facre-locals.
 * Internal to the runtime.
 *
 * A store of a pointer into this thread's stack makes an entry: the slot, the value and the place
 * of the store.  An entry says nothing about what the slot holds now: when a variable ends, entries
 * whose value lies in it are compared with their slots.  Invariant: acre_rt_kept_low is not above
 * the key of any entry, which is the lower one of its value and, if that is in the stack too, its
 * slot.  So a variable that ends above it concerns no entry, and one test says so.
 *
 * A slot is read only while its memory is the program's.  One in the stack is above the stack
 * pointer.  Any other has a record (record.h), which names the permanent region: no slot is counted
 * there, so the record means this alone, and free, realloc, munmap, deletes and unloading drop it
 * with all others.
 */
#ifndef ACRE_RUNTIME_FOREIGN_ESCAPED_LOCALS_H
#define ACRE_RUNTIME_FOREIGN_ESCAPED_LOCALS_H

#include "counting/registry.h"

struct acre_thread;

/* The region that records of slots with an entry name. */
#define ACRE_INDEX_ESCAPED ACRE_INDEX_PERMANENT

/* The calling thread ends: forgets its entries.  Needs self to be that thread. */
void acre_escaped_end_thread(struct acre_thread *self);

#endif
