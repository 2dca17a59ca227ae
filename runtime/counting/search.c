/* SPDX-License-Identifier: MIT */
/* search.c - see search.h. */
#include "counting/search.h"

#include "counting/object.h"
#include "counting/pointer_bytes.h"
#include "counting/store.h"
#include "memory/descriptor.h"

/* -- Words of an object ------------------------------------------------------------------------ */

/* Most words are no pointers into regions: so many places are asked about at once. */
enum { PLACES = 64 };

struct words {
  uintptr_t base; /* of the object */
  acre_search_visitor *visit;
  void *context;
};

static void look_at(const struct words *words, uintptr_t slot) {
  if (acre_may_be_in_window(acre_read_slot(slot)))
    words->visit(slot, words->context);
}

/* Looks at the words that begin every step bytes, a slot or one, before end. */
static inline void look_before(const struct words *words, uintptr_t end, size_t step) {
  for (uintptr_t at = words->base; at < end; at += PLACES) {
    const uintptr_t stop = end - at < PLACES ? end : at + PLACES;
    const bool may_be = step == ACRE_SLOT_SIZE
                            ? acre_has_window_word(at, (stop - at) / ACRE_SLOT_SIZE)
                            : acre_has_tag_byte(at, stop - at);
    for (uintptr_t slot = at; may_be && slot < stop; slot += step)
      look_at(words, slot);
  }
}

static void look_at_misaligned(const acre_slot *run, size_t offset, void *context) {
  const struct words *words = context;
  (void)run;
  if ((words->base + offset) % ACRE_SLOT_SIZE != 0)
    look_at(words, words->base + offset);
}

void acre_search_words(const struct acre_object *object, acre_search_visitor *visit,
                       void *context) {
  struct words words = {(uintptr_t)object->start, visit, context};
  const acre_type *type = object->site ? object->site->type : NULL;
  if (object->size < ACRE_SLOT_SIZE)
    return;
  if (type)
    look_before(&words, words.base + object->size / ACRE_SLOT_SIZE * ACRE_SLOT_SIZE,
                ACRE_SLOT_SIZE);
  else
    look_before(&words, words.base + object->size - ACRE_SLOT_SIZE + 1, 1);
  if (type && acre_type_is_packed(type, words.base))
    acre_type_each_slot(type, object->size, look_at_misaligned, &words);
}

/* -- Objects that refer to a target ------------------------------------------------------------ */

struct search {
  const struct acre_allocator *pointer_free;
  const struct acre_target *target;
  acre_search_visitor *visit;
  void *context;
};

static void compare(uintptr_t slot, void *context) {
  const struct search *search = context;
  const bool is_in_target = slot - search->target->low < search->target->size;
  if (!is_in_target && acre_target_has(search->target, acre_read_slot(slot)))
    search->visit(slot, search->context);
}

static void look_in(const struct acre_object *object, void *context) {
  const struct search *search = context;
  if (acre_object_allocator(object->start) != search->pointer_free)
    acre_search_words(object, compare, context);
}

void acre_search_objects(struct acre_region_entry *holder, const struct acre_target *target,
                         acre_search_visitor *visit, void *context) {
  struct search search = {&holder->pointer_free, target, visit, context};
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
