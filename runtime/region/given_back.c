/* SPDX-License-Identifier: MIT */
/* given_back.c - see given_back.h. */
#include "region/given_back.h"

#include <string.h>

#include "counting/record.h"
#include "counting/search.h"
#include "counting/store.h"
#include "foreign/stale.h"
#include "gc/cycle/cycle.h"
#include "gc/linux/stop_world.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/thread.h"
#include "region/destroy.h"
#include "region/reach.h"

/* Less than this many bytes are not worth a search. */
#define LEAST_BYTES ((size_t)8 << 10)
/* How many objects are asked whether they fit. */
#define TRIES 8

/* -- Who refers to what was given back --------------------------------------------------------- */

struct search {
  struct acre_region_entry *region;
  bool is_progress; /* an object is held that was not, so what it refers to is to be looked at */
};

/* The object at value, if it was given back, is held: it stays. */
static void hold(struct search *search, const void *value) {
  if (acre_page_owner(value) != search->region->index)
    return;
  const struct acre_object object = acre_object_find(value);
  if (object.mark != ACRE_OBJECT_GIVEN_BACK)
    return;
  acre_object_set_mark(&object, ACRE_OBJECT_HELD);
  search->is_progress = true;
}

static void hold_from_frame(const void *value, void *context) { hold(context, value); }

static void hold_from_record(uintptr_t slot, uint32_t region, void *context) {
  struct search *search = context;
  void *value;
  if (region == search->region->index && acre_slot_read(slot, &value))
    hold(search, value);
}

/* What refers from an object that was given back does not matter, unless that is held. */
static void hold_from_object(uintptr_t slot, void *context) {
  struct search *search = context;
  if (acre_page_owner((void *)slot) != search->region->index ||
      acre_object_find((void *)slot).mark != ACRE_OBJECT_GIVEN_BACK)
    hold(search, acre_read_slot(slot));
}

/* Returns how many bytes were searched. */
static size_t hold_from_objects(struct search *search) {
  const struct acre_target target = {search->region->index, 0, 0};
  size_t pages = search->region->pages;
  for (struct acre_region_entry *each = search->region;
       (each = acre_registry_next_below(search->region, each));) {
    acre_search_objects(each, &target, hold_from_object, search);
    pages += each->pages;
  }
  do {
    search->is_progress = false;
    acre_search_objects(search->region, &target, hold_from_object, search);
  } while (search->is_progress);
  return pages << ACRE_WINDOW_PAGE_SHIFT;
}

/* Marks all that is referred to as held.  False if that is not known. */
static bool find_held(struct search *search, size_t *searched) {
  acre_gc_clear_dead_stack();
  acre_gc_world_stop();
  const bool is_known = acre_reach_words(search->region->index, hold_from_frame, search);
  if (is_known) {
    acre_record_each(__atomic_load_n(&search->region->areas, __ATOMIC_RELAXED), hold_from_record,
                     search);
    *searched = hold_from_objects(search);
  }
  acre_gc_world_resume();
  return is_known;
}

/* -- What becomes of it ------------------------------------------------------------------------ */

/* A free object begins with a pointer to the next one. */
static char **link_of(char *start) { return (char **)(void *)start; }

static void end_hold(const struct acre_object *object, void *context) {
  (void)context;
  if (object->mark == ACRE_OBJECT_HELD)
    acre_object_set_mark(object, ACRE_OBJECT_GIVEN_BACK);
}

static void settle(const struct acre_object *object, void *context) {
  struct acre_region_entry *region = context;
  end_hold(object, NULL);
  if (object->mark != ACRE_OBJECT_GIVEN_BACK)
    return;
  if (object->start == region->anchor)
    region->anchor = NULL;
  region->given_back -= object->size;
  struct acre_allocator *allocator = acre_object_allocator(object->start);
  const bool is_last = object->start == allocator->bump.last;
  acre_destroy_object(region, object);
  if (is_last || object->size < sizeof(char *) || object->size > ACRE_OBJECT_LARGE)
    return;
  *link_of(object->start) = allocator->reusable;
  allocator->reusable = object->start;
}

/* Other threads may be making regions below, or ending some. */
static bool is_searchable(const struct acre_region_entry *region) {
  return acre_thread_is_alone() || !region->first_child;
}

static void reclaim(struct acre_region_entry *region) {
  struct search search = {region, false};
  size_t searched = 0;
  if (is_searchable(region))
    acre_object_each(region, find_held(&search, &searched) ? settle : end_hold, region);
  region->given_back_limit = region->given_back + LEAST_BYTES + searched / 2;
}

void acre_give_back(struct acre_region_entry *region, const struct acre_object *object) {
  ACRE_ASSERT(acre_page_owner(object->start) == region->index);
  if (object->mark != ACRE_OBJECT_IN_USE || acre_object_is_released(object))
    return;
  acre_object_set_mark(object, ACRE_OBJECT_GIVEN_BACK);
  region->given_back += object->size;
  if (region->given_back >= LEAST_BYTES && region->given_back >= region->given_back_limit)
    reclaim(region);
}

void *acre_use_again(struct acre_allocator *allocator, size_t size, size_t align,
                     const acre_site *site) {
  ACRE_ASSERT(size > 0);
  char **link = &allocator->reusable;
  for (int i = 0; *link && i < TRIES; i++, link = link_of(*link)) {
    char *start = *link;
    const struct acre_object object = acre_object_at(start);
    ACRE_ASSERT(acre_object_is_released(&object));
    const bool fits = object.size >= size && object.size / 2 <= size;
    if (!fits || align > 16 || ((uintptr_t)start & (align - 1)) != 0)
      continue;
    *link = *link_of(start);
    *link_of(start) = NULL;
    acre_object_use_again(&object, size, site);
    return start;
  }
  return NULL;
}
