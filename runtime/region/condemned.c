/* SPDX-License-Identifier: MIT */
/* condemned.c - see condemned.h. */
#include "region/condemned.h"

#include "counting/block.h"
#include "counting/pin.h"
#include "counting/place.h"
#include "counting/record.h"
#include "evidence/report.h"
#include "platform/check.h"
#include "platform/thread.h"

/* -- Members ----------------------------------------------------------------------------------- */

void acre_condemned_add_tree(struct acre_condemned *set, struct acre_region_entry *region) {
  ACRE_ASSERT(!set->first);
  acre_condemned_add(set, region);
  struct acre_region_entry *last = region;
  for (struct acre_region_entry *each = region; each; each = each->condemned.next)
    for (struct acre_region_entry *child = each->first_child; child; child = child->next_sibling)
      if (child->state == ACRE_STATE_LIVE) {
        acre_condemned_join(set, child);
        last = last->condemned.next = child;
      }
}

void acre_condemned_add_below(struct acre_condemned *set) {
  struct acre_region_entry *last = set->first;
  while (last && last->condemned.next)
    last = last->condemned.next;
  for (struct acre_region_entry *each = set->first; each; each = each->condemned.next)
    for (struct acre_region_entry *child = each->first_child; child; child = child->next_sibling)
      if (!acre_registry_is_condemned(child)) {
        acre_condemned_join(set, child);
        last = last->condemned.next = child;
      }
}

void acre_condemned_release_staying(struct acre_condemned *set,
                                    void (*is_left)(struct acre_region_entry *region)) {
  struct acre_region_entry **link = &set->first;
  for (struct acre_region_entry *region = set->first, *next; region; region = next) {
    next = region->condemned.next;
    if (!region->condemned.stays) {
      link = &region->condemned.next;
      continue;
    }
    *link = next;
    set->count--;
    if (is_left)
      is_left(region);
    acre_condemned_forget(region);
  }
  acre_condemned_look_again(set); /* what lies in those that stay is outside now */
}

void acre_condemned_dissolve(struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first, *next; region; region = next) {
    next = region->condemned.next;
    acre_condemned_forget(region);
  }
  *set = (struct acre_condemned){0};
}

/* -- May it go? -------------------------------------------------------------------------------- */

static bool has_outside_child(const struct acre_condemned *set,
                              const struct acre_region_entry *region) {
  if (region == acre_condemned_kept(set))
    return false;
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling)
    if (acre_condemned_set_of(child) != set)
      return true;
  return false;
}

static void tally_internal(uintptr_t slot, uint32_t region, void *context) {
  (void)slot;
  (void)context;
  acre_registry_at(region)->condemned.tally++;
}

static void tally_block(uintptr_t low, uintptr_t high, void *context) {
  acre_record_each_in(low, high, tally_internal, context);
}

bool acre_condemned_is_member_referred(const struct acre_region_entry *region) {
  ACRE_ASSERT(region->condemned.set);
  return __atomic_load_n(&region->count, __ATOMIC_ACQUIRE) != region->condemned.tally;
}

static bool is_any_referred(const struct acre_condemned *set) {
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (acre_condemned_is_member_referred(region))
      return true;
  return false;
}

static uint64_t areas_of(const struct acre_condemned *set) {
  uint64_t areas = 0;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    areas |= __atomic_load_n(&region->areas, __ATOMIC_RELAXED);
  return areas;
}

struct referrer_visit {
  struct acre_condemned *set;
  acre_record_visitor *visit;
  void *context;
};

static void visit_referrer(uintptr_t slot, uint32_t region, void *context) {
  const struct referrer_visit *each = context;
  struct acre_condemned *set = each->set;
  if (acre_condemned_set_of(acre_registry_at(region)) != set)
    return;
  const uint32_t holder = acre_page_owner((void *)slot);
  if (holder && acre_condemned_set_of(acre_registry_at(holder)) == set)
    return;
  if (set->referrers.count < ACRE_REFERRERS_MAX)
    set->referrers.complements[set->referrers.count] = ~slot;
  set->referrers.count++;
  each->visit(slot, region, each->context);
}

static void visit_known(const struct referrer_visit *each) {
  struct acre_condemned *set = each->set;
  for (size_t i = 0; i < set->referrers.count; i++) {
    const uintptr_t slot = ~set->referrers.complements[i];
    uintptr_t start;
    const uint32_t region = acre_record_get(slot, &start);
    if (region && start == slot && acre_condemned_set_of(acre_registry_at(region)) == set)
      each->visit(slot, region, each->context);
  }
}

void acre_condemned_each_referrer(struct acre_condemned *set, acre_record_visitor *visit,
                                  void *context) {
  struct referrer_visit each = {set, visit, context};
  if (set->referrers.are_known) {
    visit_known(&each);
    return;
  }
  set->referrers.count = 0;
  acre_record_each(areas_of(set), visit_referrer, &each);
  set->referrers.are_known = set->referrers.count <= ACRE_REFERRERS_MAX;
}

/* A slot that is in nobody's way. */
static void tally_spared(uintptr_t slot, uint32_t region, void *context) {
  const struct acre_condemned *set = context;
  const uint32_t holder = acre_page_owner((void *)slot);
  if (set->spares_frames ? acre_place_is_of_frame((void *)slot)
                         : holder && acre_registry_at(holder)->is_zombie)
    acre_registry_at(region)->condemned.tally++;
}

static void tally_pin(const struct acre_pin_entry *entry, void *context) {
  if (acre_condemned_set_of(entry->region) == context)
    entry->region->condemned.tally++;
}

static void tally_pins_of(struct acre_thread *thread, void *context) {
  acre_pin_each(thread, tally_pin, context);
}

static void note_referred(uintptr_t slot, void *context) {
  (void)slot;
  *(bool *)context = true;
}

static bool is_target_referred(const struct acre_condemned *set) {
  if (acre_target_is_object(set->target))
    return acre_report_referrers_of(set->target, set->spares_frames) != 0;
  bool is_found = false;
  if (set->target)
    acre_search_tree(set->target, note_referred, &is_found);
  return is_found;
}

bool acre_condemned_is_referred(const struct acre_condemned *set) {
  /* If the target is an object, it does not matter what refers to its region otherwise. */
  if (set->is_target_referred || acre_target_is_object(set->target))
    return set->is_target_referred;
  return is_any_referred(set);
}

static void tally(struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    region->condemned.tally = 0;
  /* No member refers to itself by a record. */
  if (set->count > 1 && acre_condemned_is_referred(set))
    for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
      acre_block_each(region, tally_block, NULL);
  if ((set->spares_frames || acre_registry_has_zombies()) && is_any_referred(set)) {
    acre_condemned_each_referrer(set, tally_spared, set);
    if (set->spares_frames)
      acre_thread_each(tally_pins_of, set);
  }
}

struct acre_region_entry *acre_condemned_find_obstacle(struct acre_condemned *set) {
  tally(set);
  set->is_target_referred = is_target_referred(set);
  if (set->is_target_referred || acre_target_is_object(set->target))
    return set->is_target_referred ? acre_registry_at(set->target->region) : NULL;
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (acre_condemned_is_member_referred(region) || has_outside_child(set, region))
      return region;
  return NULL;
}

bool acre_condemned_check(const struct acre_condemned *set) {
  size_t count = 0;
  for (const struct acre_region_entry *region = set->first; region;
       region = region->condemned.next, count++)
    if (count > set->count || region->condemned.set != set ||
        region->signature != ACRE_REGION_SIGNATURE)
      return false;
  return count == set->count;
}

/* What names a member of set. */
struct recount {
  const struct acre_condemned *set;
  int64_t found;
};

static void count_record(uintptr_t slot, uint32_t region, void *context) {
  struct recount *recount = context;
  (void)slot;
  recount->found += acre_condemned_set_of(acre_registry_at(region)) == recount->set;
}

static void count_pin(const struct acre_pin_entry *entry, void *context) {
  struct recount *recount = context;
  recount->found += acre_condemned_set_of(entry->region) == recount->set;
}

static void count_pins_of(struct acre_thread *thread, void *context) {
  acre_pin_each(thread, count_pin, context);
}

bool acre_condemned_check_counts(const struct acre_condemned *set) {
  struct recount recount = {set, 0};
  int64_t counts = 0;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    counts += region->count;
  if (!acre_is_single_threaded())
    return true;
  acre_record_each(ACRE_RECORD_ANYWHERE, count_record, &recount);
  acre_thread_each(count_pins_of, &recount);
  return counts == recount.found;
}
