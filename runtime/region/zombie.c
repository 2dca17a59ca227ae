/* SPDX-License-Identifier: MIT */
/* zombie.c - see zombie.h. */
#include "region/zombie.h"

#include "counting/block.h"
#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "platform/check.h"
#include "platform/thread.h"
#include "region/condemned.h"
#include "region/tree.h"

/* -- The list of deferred regions -------------------------------------------------------------- */

static void list(struct acre_region_entry *region) {
  region->state = ACRE_STATE_DEFERRED;
  acre_registry_update_open(region);
  region->next = acre_self.deferred;
  acre_self.deferred = region;
  acre_self.deferred_count++;
}

void acre_zombie_adopt(struct acre_region_entry *region) {
  ACRE_ASSERT(region->owner == acre_thread_id());
  list(region);
}

void acre_zombie_list(struct acre_condemned *set) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region->state != ACRE_STATE_DEFERRED)
      list(region);
}

void acre_zombie_unlist(struct acre_region_entry *region) {
  ACRE_ASSERT(region->owner == acre_thread_id());
  if (region->state != ACRE_STATE_DEFERRED)
    return;
  struct acre_region_entry **link = &acre_self.deferred;
  while (*link && *link != region)
    link = &(*link)->next;
  if (!*link)
    return;
  *link = region->next;
  region->next = NULL;
  acre_self.deferred_count--;
}

/* -- Contents of a region that is cleared ------------------------------------------------------ */

struct move {
  uint32_t from, to;
};

static void count_in_new(uintptr_t slot, uint32_t region, void *context) {
  const struct move *move = context;
  if (region == move->from)
    acre_record_set(slot, move->to);
}

/* The new region is a member, in the place of the one that keeps its handle. */
static bool move_contents(struct acre_condemned *set, struct acre_region_entry *kept) {
  struct acre_region_entry *fresh = acre_registry_acquire(kept->created_here);
  if (!fresh)
    return false;
  acre_tree_link(fresh, NULL);
  fresh->is_owning = kept->is_owning;
  fresh->former = acre_handle_of(kept);
  fresh->number = kept->number;
  acre_block_move_all(kept, fresh);
  struct move move = {kept->index, fresh->index};
  acre_record_each(__atomic_load_n(&kept->areas, __ATOMIC_RELAXED), count_in_new, &move);
  acre_pin_change_region(kept, fresh);
  fresh->name = kept->name; /* the end of the clear copies it */
  kept->condemned.stays = false;
  fresh->condemned.stays = true;
  struct acre_condemned_member *member = &fresh->condemned;
  __atomic_store_n(&member->set, set, __ATOMIC_RELAXED);
  member->next = kept->condemned.next;
  kept->condemned.next = fresh;
  set->count++;
  return true;
}

/* -- Zombies ----------------------------------------------------------------------------------- */

static void release_block(uintptr_t low, uintptr_t high, void *context) {
  (void)context;
  acre_record_release(low, high);
}

static void make_root(struct acre_region_entry *region) {
  acre_tree_unlink(region);
  region->parent = region->previous_sibling = region->next_sibling = NULL;
}

static void make_zombie(struct acre_region_entry *region) {
  acre_block_each(region, release_block, NULL);
  acre_forget_relations(region->index);
  if (region->state != ACRE_STATE_DEFERRED)
    list(region);
  if (!region->is_zombie) {
    acre_registry_count_zombies(1);
    acre_self.waiting_pages += region->pages;
  }
  __atomic_store_n(&region->is_zombie, true, __ATOMIC_RELEASE);
}

/* All of them leave the tree first: parents may go, and children stay. */
static void uproot(struct acre_condemned *set) {
  const struct acre_region_entry *kept = acre_condemned_kept(set);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region != kept)
      make_root(region);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region != kept)
      acre_tree_link(region, NULL);
}

bool acre_zombie_make(struct acre_condemned *set) {
  struct acre_region_entry *kept = set->target ? acre_registry_at(set->target->region) : NULL;
  ACRE_ASSERT(acre_condemned_check(set) && !acre_target_is_object(set->target));
  if (kept && kept->condemned.stays && !move_contents(set, kept))
    return false;
  uproot(set);
  acre_condemned_release_staying(set, make_zombie);
  return true;
}
