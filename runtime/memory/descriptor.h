/* SPDX-License-Identifier: MIT */
/* descriptor.h - walks of type descriptors (acre/type.h).  Internal to the runtime.
 *
 * The bytes that a descriptor describes are an array of its type, or one object with a flexible
 * array member, in which the slots from flexible_first on repeat.
 */
#ifndef ACRE_RUNTIME_MEMORY_DESCRIPTOR_H
#define ACRE_RUNTIME_MEMORY_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/type.h>

typedef void acre_slot_visitor(const acre_slot *run, size_t offset, void *context);

/* Calls visit with each slot that lies wholly in size bytes of type. */
void acre_type_each_slot(const acre_type *type, size_t size, acre_slot_visitor *visit,
                         void *context);
/* The run of the slot at offset of size bytes of type; null if none begins there.  *index: which of
   the run, or of the array the object is.  O(slot_count). */
const acre_slot *acre_type_slot_at(const acre_type *type, size_t size, size_t offset,
                                   size_t *index);
/* Might a slot of the array at address be misaligned? */
bool acre_type_is_packed(const acre_type *type, uintptr_t address);

/* What the objects of an allocation site own; null if nothing, or if their type is not known. */
static inline const acre_owned_type *acre_site_owned(const acre_site *site) {
  return site && site->type ? site->type->owned : NULL;
}
/* Is it certain that they hold no pointers? */
static inline bool acre_site_has_no_pointers(const acre_site *site) {
  return site && site->type && site->type->slot_count == 0;
}

#endif
