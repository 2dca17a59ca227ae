/* SPDX-License-Identifier: MIT */
/* delete.h - how regions go: deletes under the policies, and the ends of blocks and keys.  Internal
 * to the runtime.
 *
 * Deleting a set: its members are condemned (condemned.h); a member that may not go is healed first
 * and looked at again.  Invariant: a delete that is refused changes nothing but records that were
 * stale, and one that is not leaves no record, pin, child or page of its members.
 *
 * A deferred region goes at a later call that may delete, never inside an allocation: callers of
 * allocations have not pinned their locals.
 */
#ifndef ACRE_RUNTIME_REGION_DELETE_H
#define ACRE_RUNTIME_REGION_DELETE_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/region.h>

#include "evidence/report.h"

struct acre_condemned;
struct acre_region_entry;

/* What becomes of a set. */
enum acre_verdict {
  ACRE_VERDICT_GOES,    /* it has no obstacle */
  ACRE_VERDICT_LINGERS, /* only frames refer to it: to members that stay, or to the target */
  ACRE_VERDICT_WAITS,   /* the program takes it for gone; it goes when nothing refers to it */
  ACRE_VERDICT_STAYS
};
/* A collection that decides whether a region goes searches the frames of this module too.  Called
 * before these begin, it leaves them nothing of what dead frames of the program held.  O(1); does
 * nothing where memory is not collected. */
void acre_delete_clear_stack(void);
/* Looks for an obstacle, and if there is one asks the policy: to abort ends the program with a
 * report.  Changes nothing of the set.  frame: the address of the API function's frame; what lies
 * below is dead. */
enum acre_verdict acre_delete_decide(struct acre_condemned *set, struct acre_report_words words,
                                     const char *here, void *frame);
/* The member of set that may not go, or null, as of now: what is stale has been dropped. */
struct acre_region_entry *acre_delete_find_obstacle(struct acre_condemned *set, uintptr_t frame);
/* Adds region and what is to go with it: all below it, but what is deferred only if it is severed.
   Needs an empty set. */
void acre_delete_add_tree(struct acre_condemned *set, struct acre_region_entry *region);
/* Do frames lead to a member of set?  They are searched where pins do not tell all: O(bytes of live
 * stacks).  To be asked of a set without an obstacle. */
bool acre_delete_is_reached(struct acre_condemned *set);
/* Reports who refers to obstacle, a member of a set that may not go, and ends the program. */
_Noreturn void acre_delete_abort_for(struct acre_region_entry *obstacle,
                                     struct acre_report_words words, const char *here);
/* Does what was decided of a set whose target is no object.  Returns whether the program may take
 * it for gone. */
bool acre_delete_carry_out(struct acre_condemned *set, enum acre_verdict verdict, const char *here);
/* Both: deletes a set. */
bool acre_delete_set(struct acre_condemned *set, struct acre_report_words words, const char *here,
                     void *frame);
/* Deferred regions have had a chance to go: to be called at the end of what may delete. */
void acre_delete_reclaim_sometimes(void);
/* What region's policy is, or the default. */
acre_delete_policy acre_delete_policy_of(const struct acre_region_entry *region);

/* What acre_region_entry.policy is at first for a region of a pool.  The program was not written
 * for regions, so it is to live on unless somebody says otherwise. */
unsigned acre_delete_policy_of_pools(void);

/* What becomes of a region at its end if something refers to it. */
enum acre_region_ending {
  ACRE_END_OR_ABORT, /* or what the policy says */
  ACRE_END_OR_DEFER,
  ACRE_END_LATER /* always deferred.  For a scope that longjmp left: live locals of setjmp's
                    function are not pinned, so nobody knows whether something refers to it. */
};

/* Deletes region and those below it.  frame: what lies on the stack below is dead.  Needs region to
 * be the calling thread's. */
void acre_region_end(struct acre_region_entry *region, enum acre_region_ending how,
                     const char *here, void *frame);

#endif
