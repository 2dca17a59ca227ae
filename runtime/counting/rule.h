/* SPDX-License-Identifier: MIT */
/* rule.h - what an annotated slot may hold, and the message of one that holds something else.
 * Internal to the runtime.
 *
 * Invariant: after each store or copy that the program makes, an annotated slot obeys its rule.  A
 * store is checked before it is done, a copy just after.  A rule is about regions: the holder,
 * which is that of the slot, and the one that the value points into or that the handle names.
 */
#ifndef ACRE_RUNTIME_COUNTING_RULE_H
#define ACRE_RUNTIME_COUNTING_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/relation.h"
#include "platform/check.h"

/* Have slots of this rule records? */
static inline bool acre_rule_is_counted(uint32_t rule) {
  return rule == ACRE_SLOT_PLAIN || rule == ACRE_SLOT_UNION;
}

/* Does the handle name a region that a slot of holder may name?  Needs a rule of handles. */
bool acre_rule_allows_handle(acre_slot_rule rule, uint32_t holder, const void *handle);
/* May a slot that region holder holds have value under rule? */
static inline bool acre_rule_allows_in(acre_slot_rule rule, uint32_t holder, const void *value) {
  if (rule & ACRE_SLOT_HANDLE)
    return acre_rule_allows_handle(rule, holder, value);
  uint32_t target = acre_page_owner(value);
  switch (rule) {
  case ACRE_SLOT_SAMEREGION:
    return !value || target == holder;
  case ACRE_SLOT_PARENTPTR:
    return !value || acre_is_ancestor(target, holder);
  case ACRE_SLOT_TRADITIONAL:
    return target == ACRE_INDEX_TRADITIONAL;
  default:
    break;
  }
  return true;
}
/* May the slot hold value under rule? */
bool acre_rule_allows(acre_slot_rule rule, const void *slot, const void *value);

/* Ends the program: slot, which may be null, does not obey rule with value. */
_Noreturn void acre_rule_fail(acre_slot_rule rule, const void *slot, const void *value,
                              const acre_rt_where *where);
/* The program ends unless slot may hold value. */
void acre_rule_check(acre_slot_rule rule, void *slot, const void *value,
                     const acre_rt_where *where);

/* The program ends unless slot may hold value under parentptr.  What was found true is remembered.
 * Needs holder to be the region of slot. */
static inline void acre_rule_check_upward(void *slot, uint32_t holder, const void *value,
                                          const acre_rt_where *where) {
  ACRE_ASSERT(acre_page_owner(slot) == holder);
  uint32_t target = acre_page_owner(value);
  if (__builtin_expect(holder == target || acre_is_known_below(holder, target), 1))
    return;
  if (value && !acre_is_ancestor(target, holder))
    acre_rule_fail(ACRE_SLOT_PARENTPTR, slot, value, where);
  if (target)
    acre_relation_note(acre_ancestor_pair(holder, target), holder, target);
}

#endif
