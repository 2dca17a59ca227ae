/* SPDX-License-Identifier: MIT */
/* sever.h - slots that still point into what is deleted lose their pointers.  Internal to the
 * runtime.
 *
 * Severed is each slot of the program that has a record, and of a target that is cleared or given
 * back also what is found below (counting/search.h).  It becomes null or, by the policy of the
 * region, an address that faults (trap.h).  Not severed are slots in frames and zombies, what the C
 * library or the kernel keeps, numbers by their type, and memory that cannot be written: for these
 * the region stays as a zombie.
 *
 * A store of another thread may come between the look at a slot and its end: it is kept, for a slot
 * is only changed if it still holds what was found in it.
 */
#ifndef ACRE_RUNTIME_REGION_SEVER_H
#define ACRE_RUNTIME_REGION_SEVER_H

#include <acre/region.h>

struct acre_condemned;
struct acre_region_entry;

/* Severs what refers to set from outside, each slot by policy_of its region.  here: where the
   delete is; what: the log's word for it.  Without memory nothing is severed. */
void acre_sever(struct acre_condemned *set,
                acre_delete_policy (*policy_of)(const struct acre_region_entry *region),
                const char *what, const char *here);
/* Logs the same slots, and changes none.  outcome: what became of the delete. */
void acre_sever_log(struct acre_condemned *set, const char *outcome, const char *here);

/* Nobody is at a finding between these two. */
void acre_sever_lock(void);
void acre_sever_unlock(void);

#endif
