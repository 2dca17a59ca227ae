/* SPDX-License-Identifier: MIT */
/* reach.c - see reach.h. */
#include "region/reach.h"

#include "counting/object.h"
#include "counting/search.h"
#include "counting/store.h"
#include "gc/cycle/cycle.h"
#include "gc/linux/stop_world.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/thread.h"
#include "region/condemned.h"
#include "region/frames.h"

struct reach {
  const struct acre_condemned *set; /* or null */
  uint32_t noted;                   /* region of which each word is noted, if not 0 */
  acre_reach_note *note;
  void *context;
  struct acre_region_entry *first,
      *last;      /* that are reached, in the order in which that was seen */
  size_t missing; /* members that are not */
  const struct acre_allocator *pointer_free; /* of the region that is looked at */
};

static void add(struct reach *reach, struct acre_region_entry *region) {
  if (region->condemned.is_reached)
    return;
  region->condemned.is_reached = true;
  reach->missing -= reach->set && acre_condemned_set_of(region) == reach->set;
  *(reach->last ? &reach->last->condemned.next_reached : &reach->first) = region;
  reach->last = region;
}

static void look_into_window(struct reach *reach, const void *value) {
  const uint32_t index = acre_page_owner(value);
  if (!index)
    return;
  if (index == reach->noted)
    reach->note(value, reach->context);
  struct acre_region_entry *region = acre_registry_at(index);
  if (region->is_zombie || (reach->set && acre_condemned_set_of(region) == reach->set))
    add(reach, region);
}

/* Most words are no pointers into regions. */
static inline void look_at(struct reach *reach, const void *value) {
  if (__builtin_expect(acre_may_be_in_window(value), 0))
    look_into_window(reach, value);
}

/* -- Frames ------------------------------------------------------------------------------------ */

ACRE_RAW_READ static void look_in_frame(uintptr_t start, uintptr_t end, void *context) {
  const uintptr_t aligned = (start + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
  for (uintptr_t at = aligned; at + ACRE_SLOT_SIZE <= end; at += ACRE_SLOT_SIZE)
    look_at(context, acre_read_slot(at));
}

/* -- Objects ----------------------------------------------------------------------------------- */

static void look_at_slot(uintptr_t slot, void *context) {
  look_into_window(context, acre_read_slot(slot));
}

static void look_in_object(const struct acre_object *object, void *context) {
  const struct reach *reach = context;
  if (acre_object_allocator(object->start) != reach->pointer_free)
    acre_search_words(object, look_at_slot, context);
}

/* -- All --------------------------------------------------------------------------------------- */

static void add_referred(struct reach *reach, struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (acre_condemned_is_member_referred(region))
      add(reach, region);
}

/* Code that had a pointer before a clear takes it to lead to where it led then: acre-cc may have
   left it out of the records of what lies in the cleared region or below, or proved a check there.
   False if another thread has these now. */
static bool add_former(struct reach *reach, const struct acre_region_entry *member) {
  struct acre_region_entry *former = acre_registry_find(member->former);
  for (struct acre_region_entry *each = former; each;
       each = acre_registry_next_below(former, each)) {
    if (acre_region_owner(each) != acre_thread_id())
      return false;
    if (acre_condemned_set_of(each) != reach->set)
      add(reach, each);
  }
  return true;
}

static void add_formers(struct reach *reach, struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region->former && !add_former(reach, region))
      add(reach, region);
}

static void add_all(struct reach *reach, struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    add(reach, region);
}

/* Ends early where nothing is left to be reached. */
static bool is_over(const struct reach *reach) { return reach->set && reach->missing == 0; }

static void follow(struct reach *reach) {
  for (struct acre_region_entry *region = reach->first; region && !is_over(reach);
       region = region->condemned.next_reached) {
    reach->pointer_free = &region->pointer_free;
    acre_object_each(region, look_in_object, reach);
  }
}

/* Notes which members stay.  Returns whether any does. */
static bool note_members(const struct reach *reach) {
  bool is_any = false;
  for (struct acre_region_entry *region = reach->set->first; region;
       region = region->condemned.next)
    is_any |= region->condemned.stays = region->condemned.is_reached;
  return is_any;
}

/* What is noted in regions is noted and forgotten in one stop of the world: another thread, which
   runs then, searches for itself. */
static void forget(const struct reach *reach) {
  for (struct acre_region_entry *region = reach->first, *next; region; region = next) {
    next = region->condemned.next_reached;
    region->condemned.next_reached = NULL;
    region->condemned.is_reached = false;
  }
}

static void stop_world(void) {
  acre_gc_clear_dead_stack();
  acre_gc_world_stop();
}

/* Frames that cannot be found may hold anything: all members are reached then. */
bool acre_reach_members(struct acre_condemned *set) {
  struct reach reach = {.set = set, .missing = set->count};
  stop_world();
  add_referred(&reach, set);
  add_formers(&reach, set);
  if (!acre_frames_each(look_in_frame, &reach))
    add_all(&reach, set);
  follow(&reach);
  const bool is_any = note_members(&reach);
  forget(&reach);
  acre_gc_world_resume();
  return is_any;
}

bool acre_reach_words(uint32_t region, acre_reach_note *note, void *context) {
  ACRE_ASSERT(region && acre_gc_world_is_stopped());
  struct reach reach = {.noted = region, .note = note, .context = context};
  const bool is_all = acre_frames_each(look_in_frame, &reach);
  follow(&reach);
  forget(&reach);
  return is_all;
}

struct target_search {
  const struct acre_target *target;
  bool is_reached;
};

static void note_target(const void *value, void *context) {
  struct target_search *search = context;
  search->is_reached |= acre_target_has(search->target, value);
}

bool acre_reach_object(const struct acre_target *target) {
  ACRE_ASSERT(acre_target_is_object(target));
  struct target_search search = {target, false};
  stop_world();
  const bool is_all = acre_reach_words(target->region, note_target, &search);
  acre_gc_world_resume();
  return search.is_reached || !is_all;
}
