/* SPDX-License-Identifier: MIT */
/* search.h - the slots of a region's objects that point somewhere, found by looking at memory.
 * Internal to the runtime.
 *
 * References within a region, and to the regions above, have no records: who has to know them looks
 * here.  Found is each word of an object that points to the target: at any byte where the object's
 * type is not known, else at aligned places and where the type has a slot.  Objects without pointer
 * slots hold none.
 */
#ifndef ACRE_RUNTIME_COUNTING_SEARCH_H
#define ACRE_RUNTIME_COUNTING_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/registry.h"
#include "memory/pages.h"

/* What pointers are looked for: those into region, or, if size is not 0, to the object of size
   bytes at low in it, or just past. */
struct acre_target {
  uint32_t region;
  uintptr_t low;
  size_t size;
};

static inline bool acre_target_is_object(const struct acre_target *target) {
  return target && target->size;
}
static inline bool acre_target_has(const struct acre_target *target, const void *value) {
  return acre_target_is_object(target) ? (uintptr_t)value - target->low <= target->size
                                       : acre_page_owner(value) == target->region;
}

typedef void acre_search_visitor(uintptr_t slot, void *context);
/* Calls visit with each word of object that is in the window: with those that are aligned and with
   the slots of its type, or if that is not known with words anywhere.  O(its bytes). */
void acre_search_words(const struct acre_object *object, acre_search_visitor *visit, void *context);
/* Calls visit with each slot of holder's objects, but not of the target itself, that points to the
 * target.  O(bytes of holder's objects). */
void acre_search_objects(struct acre_region_entry *holder, const struct acre_target *target,
                         acre_search_visitor *visit, void *context);
/* The same with the objects of all regions below the target's that are not condemned and, if the
   target is an object, of the target's region.  O(bytes of their objects). */
void acre_search_tree(const struct acre_target *target, acre_search_visitor *visit, void *context);

#endif
