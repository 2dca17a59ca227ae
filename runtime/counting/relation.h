/* SPDX-License-Identifier: MIT */
/* relation.h - whether one region is below another, and so in which region a slot is counted.
 * Internal to the runtime.
 *
 * What is found out of two regions is remembered by each thread, of holders that it alone can
 * delete: in acre_rt_ancestor_pairs (abi.h) that the second is an ancestor of the first, in
 * acre_unrelated_pairs that it is neither that nor the first itself.  Invariant: what is remembered
 * of a holder is true for as long as the thread owns it.  No ancestor goes before its holder, and a
 * region that is made later with the target's index is none of its ancestors either; the thread
 * forgets a holder when that goes or is given away.  The region of a pool goes over to another
 * thread unseen: once there are threads nothing is remembered of it, and if something was before
 * its index is not used again.
 */
#ifndef ACRE_RUNTIME_COUNTING_RELATION_H
#define ACRE_RUNTIME_COUNTING_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/registry.h"
#include "memory/order.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/thread.h"

/* An entry of either table. */
static inline uint64_t acre_relation(uint32_t holder, uint32_t target) {
  return (uint64_t)holder << 32 | target;
}

enum { ACRE_UNRELATED_HOLDERS = 8, ACRE_UNRELATED_EACH = 4 };
extern _Thread_local uint64_t acre_unrelated_pairs[ACRE_UNRELATED_HOLDERS][ACRE_UNRELATED_EACH]
    __attribute__((tls_model("initial-exec")));
static inline uint64_t *acre_unrelated_pair(uint32_t holder, uint32_t target) {
  return &acre_unrelated_pairs[holder % ACRE_UNRELATED_HOLDERS][target % ACRE_UNRELATED_EACH];
}
static inline uint64_t *acre_ancestor_pair(uint32_t holder, uint32_t target) {
  return &acre_rt_ancestor_pairs[(holder + target) % ACRE_ANCESTOR_PAIRS];
}

/* May the calling thread remember relations of region, as their holder? */
static inline bool acre_relation_may_note(struct acre_region_entry *region) {
  if (acre_region_owner(region) != acre_thread_id() ||
      (region->is_pool && !acre_is_single_threaded()))
    return false;
  region->is_noted = true;
  return true;
}

/* Remembers that what a table says is true of holder and target, if that can be remembered.  Needs
 * pair to be their place in the table. */
static inline void acre_relation_note(uint64_t *pair, uint32_t holder, uint32_t target) {
  ACRE_ASSERT(pair == acre_ancestor_pair(holder, target) ||
              pair == acre_unrelated_pair(holder, target));
  if (acre_relation_may_note(acre_registry_at(holder)))
    *pair = acre_relation(holder, target);
}
/* Region holder of this thread goes, or becomes another thread's: its index will be that of another
 * region. */
void acre_forget_relations(uint32_t holder);

/* Was what value points to moved out of its region by a clear?  It may be known, without a record,
 * where it was (region/reach.h). */
static inline bool acre_is_moved_by_clear(const void *value) {
  const uint32_t region = acre_page_owner(value);
  return region && acre_registry_at(region)->former;
}

/* Is region index the region ancestor, or below it?  Remembers nothing. */
static inline bool acre_is_ancestor(uint32_t ancestor, uint32_t index) {
  if (ancestor == index)
    return true;
  const struct acre_region_entry *above = acre_registry_at(ancestor),
                                 *region = acre_registry_at(index);
  if (region->parent == above)
    return true;
  if (above->parent == region)
    return false;
  return above->root == region->root &&
         acre_order_encloses(&above->begin, &above->end, &region->begin);
}

/* Is region holder below region target?  No region is below the traditional or the permanent one,
   and these are below none.  Needs target to be another one than holder. */
bool acre_find_below(uint32_t holder, uint32_t target);
static inline bool acre_is_known_below(uint32_t holder, uint32_t target) {
  bool is_known = *acre_ancestor_pair(holder, target) == acre_relation(holder, target);
  ACRE_ASSERT(!is_known || (acre_is_ancestor(target, holder) && "what is remembered is true"));
  return is_known;
}
static inline bool acre_is_known_unrelated(uint32_t holder, uint32_t target) {
  bool is_known = holder <= ACRE_INDEX_PERMANENT ||
                  *acre_unrelated_pair(holder, target) == acre_relation(holder, target);
  ACRE_ASSERT(!is_known || (!acre_is_ancestor(target, holder) && "what is remembered is true"));
  return is_known;
}
static inline bool acre_is_below(uint32_t holder, uint32_t target) {
  return acre_is_known_below(holder, target) ||
         (!acre_is_known_unrelated(holder, target) && acre_find_below(holder, target));
}

/* The region in which a slot held by region holder is counted while it points into region target;
   0: in none.  A region cannot go while there are regions below it: what these hold need not be
   counted. */
static inline uint32_t acre_counted_region(uint32_t target, uint32_t holder) {
  return target <= ACRE_INDEX_PERMANENT || target == holder || acre_is_below(holder, target)
             ? 0
             : target;
}

static inline uint32_t acre_counted_target(const void *slot, const void *value) {
  uint32_t target = acre_page_owner(value);
  return target ? acre_counted_region(target, acre_page_owner(slot)) : 0;
}

#endif
