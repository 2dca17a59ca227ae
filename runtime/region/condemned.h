/* SPDX-License-Identifier: MIT */
/* condemned.h - the set of regions that a delete is about.  Internal to the runtime.
 *
 * Invariant: a region is in one set at most, and knows which
 * (acre_registry_is_condemned).  The set may go if no member has a live child outside it and every
 * reference to a member comes from memory of the set: a member's tally is how many of those there
 * are, as of the last look for an obstacle.  Nothing but the set itself has changed until it goes
 * or is dissolved.
 *
 * What zombies refer to is in nobody's way either, since only frames know them, and these are
 * searched (reach.h); nor, if the set spares frames, what frames hold: those are in the tally too.
 *
 * A set may be about less, its target: of a clear, the region that stays, and may have children
 * outside the set, but none that refers to it; of an object that is given back, that object.
 *
 * The links are in the members, so that to condemn, to refuse and to delete need no memory: a
 * delete is what a program does that has none left.  They are the set's alone: a region in it may
 * be in its thread's list of deferred ones.
 */
#ifndef ACRE_RUNTIME_REGION_CONDEMNED_H
#define ACRE_RUNTIME_REGION_CONDEMNED_H

#include <stdbool.h>
#include <stddef.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "counting/search.h"
#include "platform/check.h"

enum { ACRE_REFERRERS_MAX = 16 };

struct acre_condemned {
  struct acre_region_entry *first; /* the others by condemned.next */
  size_t count;
  const struct acre_target *target; /* null: all members are to go */
  bool is_target_referred;          /* as of the last look for an obstacle */
  bool spares_frames; /* what frames hold keeps no member from going: it stays as a zombie */
  /* Which slots outside refer to members, by the last walk over all records, if they were few.  As
     complements: a collection that decides whether the set goes searches this stack, and is not to
     find objects alive because their slots are listed here. */
  struct {
    bool are_known;
    size_t count;
    uintptr_t complements[ACRE_REFERRERS_MAX];
  } referrers;
};

/* region is in this set, to be linked.  Needs a region that lives and is in no set. */
static inline void acre_condemned_join(struct acre_condemned *set,
                                       struct acre_region_entry *region) {
  ACRE_ASSERT(!region->condemned.set && "a region is in one set at most");
  ACRE_ASSERT(region->signature == ACRE_REGION_SIGNATURE);
  __atomic_store_n(&region->condemned.set, set, __ATOMIC_RELAXED);
  set->count++;
}
/* region becomes the first of this set.  Needs a region that lives and is in no set. */
static inline void acre_condemned_add(struct acre_condemned *set,
                                      struct acre_region_entry *region) {
  acre_condemned_join(set, region);
  ACRE_ASSERT(set->first != region);
  region->condemned.next = set->first;
  set->first = region;
}
/* Adds region and all below it, but not those whose delete is deferred, nor what is below these.
 * Needs an empty set. */
void acre_condemned_add_tree(struct acre_condemned *set, struct acre_region_entry *region);
/* Adds all regions below its members.  Those whose delete is deferred are members too. */
void acre_condemned_add_below(struct acre_condemned *set);
/* Members that stay (condemned.stays) are in no set any more; is_left, if not null, is called with
 * each before that is so. */
void acre_condemned_release_staying(struct acre_condemned *set,
                                    void (*is_left)(struct acre_region_entry *region));
/* Its members are in no set any more. */
void acre_condemned_dissolve(struct acre_condemned *set);

/* The member that stays if the set goes, or null. */
static inline const struct acre_region_entry *
acre_condemned_kept(const struct acre_condemned *set) {
  return set->target ? acre_registry_at(set->target->region) : NULL;
}
/* Calls visit with each record of a slot outside that names a member.  Most walks over all records
 * find few, and they are remembered: until acre_condemned_look_again, slots that got such a record
 * since may be missing.  Then a count differs from a tally, and the region stays. */
void acre_condemned_each_referrer(struct acre_condemned *set, acre_record_visitor *visit,
                                  void *context);
/* Slots may have got records since the last walk. */
static inline void acre_condemned_look_again(struct acre_condemned *set) {
  set->referrers.are_known = false;
}
/* Does more refer to region, by the last look, than is in its tally?  Needs a member. */
bool acre_condemned_is_member_referred(const struct acre_region_entry *region);
/* Is any member, or the target, referred to from outside, by the last look? */
bool acre_condemned_is_referred(const struct acre_condemned *set);
/* Recomputes each member's tally, then returns the first that has a reference or a live child
 * outside the set; null if none.  Where less is to go, that is the region of the target if
 * something refers to it; O(bytes of its region and those below) then. */
struct acre_region_entry *acre_condemned_find_obstacle(struct acre_condemned *set);

/* Walks the set and checks the invariant. */
bool acre_condemned_check(const struct acre_condemned *set);
/* Are the counts of its members, together, as many as records and pins name one?  True while other
 * threads run, which may be changing them. */
bool acre_condemned_check_counts(const struct acre_condemned *set);

#endif
