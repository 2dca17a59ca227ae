/* SPDX-License-Identifier: MIT */
/* search.c - see search.h. */
#include "counting/search.h"

#include "counting/object.h"
#include "counting/store.h"
#include "memory/descriptor.h"

struct search {
  const struct acre_allocator *pointer_free;
  const struct acre_target *target;
  acre_search_visitor *visit;
  void *context;
  uintptr_t base; /* of the object that is looked at */
};

static void look_at(const struct search *search, uintptr_t slot) {
  const bool is_in_target = slot - search->target->low < search->target->size;
  if (!is_in_target && acre_target_has(search->target, acre_read_slot(slot)))
    search->visit(slot, search->context);
}

static void look_at_misaligned(const acre_slot *run, size_t offset, void *context) {
  const struct search *search = context;
  (void)run;
  if ((search->base + offset) % ACRE_SLOT_SIZE != 0)
    look_at(search, search->base + offset);
}

static void look_in(const struct acre_object *object, void *context) {
  struct search *search = context;
  if (acre_object_allocator(object->start) == search->pointer_free)
    return;
  const acre_type *type = object->site ? object->site->type : NULL;
  const size_t step = type ? ACRE_SLOT_SIZE : 1;
  search->base = (uintptr_t)object->start;
  for (size_t offset = 0; offset + ACRE_SLOT_SIZE <= object->size; offset += step)
    look_at(search, search->base + offset);
  if (type)
    acre_type_each_slot(type, object->size, look_at_misaligned, search);
}

void acre_search_objects(struct acre_region_entry *holder, const struct acre_target *target,
                         acre_search_visitor *visit, void *context) {
  struct search search = {&holder->pointer_free, target, visit, context, 0};
  acre_object_each(holder, look_in, &search);
}

void acre_search_tree(const struct acre_target *target, acre_search_visitor *visit, void *context) {
  struct acre_region_entry *root = acre_registry_at(target->region);
  if (acre_target_is_object(target))
    acre_search_objects(root, target, visit, context);
  for (struct acre_region_entry *each = root; (each = acre_registry_next_below(root, each));)
    if (!acre_registry_is_condemned(each))
      acre_search_objects(each, target, visit, context);
}
