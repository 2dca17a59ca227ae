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

#include <stdint.h>

struct acre_region_entry;

/* What regions that are gone had allocated. */
struct acre_dead_totals {
  int64_t objects, bytes_requested;
};
extern struct acre_dead_totals acre_dead_totals;

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
/* Aborts if anything outside refers to region or those below it; otherwise no thread owns these
 * regions afterwards.  Needs region to be the calling thread's. */
void acre_region_close(struct acre_region_entry *region, const char *here, void *frame);
/* Region and those below it belong to thread owner. */
void acre_region_change_owner(struct acre_region_entry *region, uint32_t owner);

#endif
