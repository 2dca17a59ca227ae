/* SPDX-License-Identifier: MIT */
/* delete.c - see delete.h. */
#include "region/delete.h"

#include <acre/collected.h>
#include <acre/region.h>
#include <acre/scope.h>

#include <stdlib.h>

#include "counting/block.h"
#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "evidence/report.h"
#include "evidence/verify.h"
#include "foreign/held_locals.h"
#include "foreign/stale.h"
#include "gc/cycle/cycle.h"
#include "gc/process/process.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/condemned.h"
#include "region/destroy.h"
#include "region/frames.h"
#include "region/reach.h"
#include "region/sever.h"
#include "region/zombie.h"

static acre_delete_policy default_policy = ACRE_DELETE_ABORT;
static bool is_default_chosen;

/* How many zombies a thread lets wait for one search of frames, and of how many pages. */
enum { WAITING_MOST = 32, WAITING_PAGES_MOST = 64 };

/* -- May the set go? --------------------------------------------------------------------------- */

/* The number of the oldest member. */
static uintptr_t oldest_number(const struct acre_condemned *set) {
  uintptr_t oldest = set->first->number;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region->number < oldest)
      oldest = region->number;
  return oldest;
}

/* Is there nothing that refers to set, as is seen without settling pins? */
static bool is_free(struct acre_condemned *set, uintptr_t frame) {
  if (!acre_pin_spares_condemned(oldest_number(set)))
    return false;
  struct acre_region_entry *obstacle = acre_condemned_find_obstacle(set);
  if (obstacle && acre_settle_lazy(frame)) {
    acre_condemned_look_again(set);
    obstacle = acre_condemned_find_obstacle(set);
  }
  return !obstacle;
}

static void heal_referrer(uintptr_t slot, uint32_t region, void *context) {
  acre_heal_slot(slot, region, *(const uintptr_t *)context);
}

static void heal(struct acre_condemned *set, uintptr_t frame) {
  ACRE_ASSERT(frame >= acre_frame_end());
  acre_thread_find_stack();
  acre_condemned_each_referrer(set, heal_referrer, &frame);
}

/* Lazy records, pins, stale records, locals of which nobody has the address and garbage are looked
   at in the order of what that costs. */
struct acre_region_entry *acre_delete_find_obstacle(struct acre_condemned *set, uintptr_t frame) {
  if (is_free(set, frame)) {
    ACRE_ASSERT(acre_condemned_check_counts(set) && "a count is that of records and pins");
    return NULL;
  }
  if (acre_settle_lazy(frame) || !acre_pin_is_settled())
    acre_condemned_look_again(set);
  acre_pin_settle();
  struct acre_region_entry *obstacle = acre_condemned_find_obstacle(set);
  if (obstacle && acre_condemned_is_referred(set)) {
    heal(set, frame);
    obstacle = acre_condemned_find_obstacle(set);
  }
  const bool are_locals_dropped =
      obstacle && acre_condemned_is_referred(set) && acre_held_locals_drop_unreached();
  if (are_locals_dropped)
    obstacle = acre_condemned_find_obstacle(set);
  /* What only garbage of the collected heap refers to may go. */
  if (obstacle && acre_condemned_is_referred(set) && acre_gc_process_exists()) {
    acre_gc_clear_dead_stack();
    acre_collected_collect();
    acre_slots_stay(true); /* it may have unmapped some */
    heal(set, frame);
    obstacle = acre_condemned_find_obstacle(set);
  }
  if (obstacle && are_locals_dropped) {
    acre_held_locals_count_again();
    acre_condemned_look_again(set);
    obstacle = acre_condemned_find_obstacle(set);
  }
  ACRE_ASSERT(acre_condemned_check_counts(set) && "a count is that of records and pins");
  return obstacle;
}

/* Without zombies and where pins tell all, frames are not searched. */
static bool are_frames_searched(void) {
  return acre_frames_are_searched() || acre_registry_has_zombies();
}

void acre_delete_clear_stack(void) {
  if (acre_gc_process_exists() || are_frames_searched())
    acre_gc_clear_dead_stack();
}

/* -- Deferred regions -------------------------------------------------------------------------- */

static void defer(struct acre_condemned *set) {
  acre_zombie_list(set);
  acre_condemned_dissolve(set);
}

/* Members of a set that stay, of which what they refer to is still to be looked at. */
struct staying {
  const struct acre_condemned *set;
  struct acre_region_entry *next;
};

static void let_stay(struct staying *staying, struct acre_region_entry *region) {
  if (!region || region->condemned.set != staying->set || region->condemned.stays)
    return;
  region->condemned.stays = true;
  region->condemned.next_staying = staying->next;
  staying->next = region;
}

static void let_target_stay(uintptr_t slot, uint32_t region, void *context) {
  (void)slot;
  let_stay(context, acre_registry_at(region));
}

static void let_targets_stay(uintptr_t low, uintptr_t high, void *context) {
  acre_record_each_in(low, high, let_target_stay, context);
}

static bool has_child_outside(const struct acre_region_entry *region) {
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling)
    if (child->condemned.set != region->condemned.set)
      return true;
  return false;
}

/* Those to which something outside of the set refers stay, and those that these refer to, or are
   below. */
static void drop_referred(struct acre_condemned *set) {
  struct staying staying = {set, NULL};
  acre_condemned_find_obstacle(set);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (acre_condemned_is_member_referred(region) || has_child_outside(region))
      let_stay(&staying, region);
  while (staying.next) {
    struct acre_region_entry *region = staying.next;
    staying.next = region->condemned.next_staying;
    acre_block_each(region, let_targets_stay, &staying);
    let_stay(&staying, region->parent);
  }
  acre_condemned_release_staying(set, NULL);
}

/* Where frames are searched: all that are deferred are a set, and regions that refer to nothing but
   each other go too.  Returns how many go. */
static size_t reclaim_unreached(void) {
  struct acre_condemned set = {0};
  for (struct acre_region_entry *region = acre_self.deferred; region; region = region->next)
    acre_condemned_add(&set, region);
  drop_referred(&set);
  if (set.first && acre_reach_members(&set))
    acre_condemned_release_staying(&set, NULL);
  const size_t gone = set.count;
  for (struct acre_region_entry **link = &acre_self.deferred; *link;) {
    struct acre_region_entry *region = *link;
    if (!acre_registry_is_condemned(region)) {
      link = &region->next;
      continue;
    }
    *link = region->next;
    region->next = NULL;
    acre_self.deferred_count--;
  }
  if (set.first)
    acre_destroy(&set, "a deferred delete");
  return gone;
}

static bool may_go_now(const struct acre_region_entry *region) {
  return !region->first_child && __atomic_load_n(&region->count, __ATOMIC_ACQUIRE) == 0;
}

/* One that goes may free another: its parent, or one it pointed into.  Passes go on until one finds
   none. */
static size_t reclaim_free(void) {
  size_t gone = 0;
  for (bool is_progress = true; is_progress;) {
    is_progress = false;
    for (struct acre_region_entry **link = &acre_self.deferred; *link;) {
      struct acre_region_entry *region = *link;
      if (!may_go_now(region)) {
        link = &region->next;
        continue;
      }
      *link = region->next;
      region->next = NULL;
      struct acre_condemned alone = {0};
      acre_condemned_add(&alone, region);
      acre_destroy(&alone, "a deferred delete");
      acre_self.deferred_count--;
      is_progress = true;
      gone++;
    }
  }
  return gone;
}

static size_t reclaim_deferred(void) {
  acre_settle_lazy(acre_frame_end());
  acre_pin_settle();
  return are_frames_searched() ? reclaim_unreached() : reclaim_free();
}

size_t acre_region_reclaim(void) {
  const size_t gone = reclaim_deferred();
  acre_self.deferred_patience = 0;
  acre_self.deferred_left = acre_self.deferred_count;
  acre_self.waiting_pages = acre_self.pages_left = 0;
  for (const struct acre_region_entry *region = acre_self.deferred; region; region = region->next)
    acre_self.pages_left += region->pages;
  return gone;
}

/* Each delete is a chance, so that deferred regions do not pile up; but looking at them costs as
   much as there are, so it is done once in as many deletes as the last look has left; and in more
   where frames are to be searched too, unless those that wait for it have become large. */
void acre_delete_reclaim_sometimes(void) {
  const size_t more = are_frames_searched() ? WAITING_MOST : 0;
  if (acre_self.deferred && (acre_self.deferred_patience++ > acre_self.deferred_left + more ||
                             acre_self.waiting_pages > acre_self.pages_left + WAITING_PAGES_MOST))
    acre_region_reclaim();
}

/* -- Deletion ---------------------------------------------------------------------------------- */

void acre_set_delete_policy(acre_delete_policy policy) {
  default_policy = policy;
  is_default_chosen = true;
}

unsigned acre_delete_policy_of_pools(void) {
  return is_default_chosen ? ACRE_POLICY_DEFAULT : ACRE_DELETE_TRAP;
}

void acre_region_set_delete_policy(acre_region handle, acre_delete_policy policy) {
  acre_registry_expect_own(handle, "acre_region_set_delete_policy")->policy = (uint8_t)policy;
}

acre_delete_policy acre_delete_policy_of(const struct acre_region_entry *region) {
  return region->policy == ACRE_POLICY_DEFAULT ? default_policy
                                               : (acre_delete_policy)region->policy;
}

static bool is_severing(acre_delete_policy policy) {
  return policy == ACRE_DELETE_SEVER || policy == ACRE_DELETE_TRAP;
}

/* A subregion without a policy of its own goes with one above it that severs. */
static acre_delete_policy policy_of_member(const struct acre_region_entry *region) {
  const struct acre_region_entry *above = region;
  while (above->policy == ACRE_POLICY_DEFAULT && above->parent &&
         above->parent->condemned.set == region->condemned.set)
    above = above->parent;
  const acre_delete_policy policy = acre_delete_policy_of(above);
  return above == region || is_severing(policy) ? policy : default_policy;
}

/* The least forgiving policy of the members decides. */
static acre_delete_policy policy_of_set(const struct acre_condemned *set) {
  acre_delete_policy policy = ACRE_DELETE_TRAP;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (policy_of_member(region) < policy)
      policy = policy_of_member(region);
  return policy;
}

/* What is severed is deleted with all below it. */
static void add_below_if_severed(struct acre_condemned *set) {
  bool is_any_below = false;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    is_any_below |= region->first_child != NULL;
  if (is_any_below && is_severing(policy_of_set(set)))
    acre_condemned_add_below(set);
}

void acre_delete_add_tree(struct acre_condemned *set, struct acre_region_entry *region) {
  ACRE_ASSERT(!set->first);
  acre_condemned_add_tree(set, region);
  add_below_if_severed(set);
}

_Noreturn void acre_delete_abort_for(struct acre_region_entry *obstacle,
                                     struct acre_report_words words, const char *here) {
  words.spares_frames = obstacle->condemned.set->spares_frames;
  acre_report_refusal(2, obstacle, words, here);
  abort();
}

static bool has_objects(const struct acre_condemned *set) {
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (acre_region_objects(region) != 0)
      return true;
  return false;
}

/* Nothing that has a record or pin keeps set from going. */
static enum acre_verdict search_frames(struct acre_condemned *set) {
  if (!has_objects(set))
    return ACRE_VERDICT_GOES;
  if (acre_target_is_object(set->target))
    return acre_reach_object(set->target) ? ACRE_VERDICT_LINGERS : ACRE_VERDICT_GOES;
  set->spares_frames = false;
  acre_condemned_find_obstacle(set);
  return acre_reach_members(set) ? ACRE_VERDICT_LINGERS : ACRE_VERDICT_GOES;
}

/* A search costs as much for many regions as for one.  So where nothing can refuse the delete, its
   members become zombies unsearched, if they are not large. */
static bool may_wait(const struct acre_condemned *set) {
  size_t pages = 0;
  if (!acre_frames_are_searched() || set->target || !is_severing(policy_of_set(set)))
    return false;
  for (const struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    pages += region->pages;
  return pages <= WAITING_PAGES_MOST;
}

static enum acre_verdict search_frames_later(struct acre_condemned *set) {
  if (!may_wait(set))
    return search_frames(set);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    region->condemned.stays = true;
  return ACRE_VERDICT_LINGERS;
}

bool acre_delete_is_reached(struct acre_condemned *set) {
  return are_frames_searched() && search_frames(set) == ACRE_VERDICT_LINGERS;
}

/* What is severed was perhaps read before, into registers of which no pin tells; and what could not
   be severed keeps its region as a zombie. */
static enum acre_verdict sever(struct acre_condemned *set, const char *here) {
  acre_sever(set, policy_of_member, "severed", here);
  if (acre_target_is_object(set->target) && acre_report_referrers_of(set->target, false) != 0)
    return ACRE_VERDICT_LINGERS;
  return search_frames_later(set);
}

static enum acre_verdict refuse(struct acre_condemned *set, struct acre_region_entry *obstacle,
                                struct acre_report_words words, const char *here) {
  const acre_delete_policy policy = policy_of_set(set);
  if (is_severing(policy))
    return sever(set, here);
  static const char *const outcomes[] = {"and the program ends", "which is refused",
                                         "which is deferred"};
  acre_sever_log(set, outcomes[policy], here);
  if (policy == ACRE_DELETE_ABORT)
    acre_delete_abort_for(obstacle, words, here);
  return policy == ACRE_DELETE_DEFER ? ACRE_VERDICT_WAITS : ACRE_VERDICT_STAYS;
}

static enum acre_verdict decide(struct acre_condemned *set, struct acre_report_words words,
                                const char *here, uintptr_t frame) {
  struct acre_region_entry *obstacle = acre_delete_find_obstacle(set, frame);
  if (obstacle)
    return refuse(set, obstacle, words, here);
  return are_frames_searched() ? search_frames_later(set) : ACRE_VERDICT_GOES;
}

enum acre_verdict acre_delete_decide(struct acre_condemned *set, struct acre_report_words words,
                                     const char *here, void *frame) {
  if (__builtin_expect(acre_is_verifying, 0))
    acre_verify_or_abort(here ? here : "at a delete");
  set->spares_frames = acre_frames_are_searched();
  acre_slots_stay(true);
  const enum acre_verdict verdict = decide(set, words, here, (uintptr_t)frame);
  acre_slots_stay(false);
  return verdict;
}

/* What stays is to be found again under no name. */
static void destroy(struct acre_condemned *set, const char *here) {
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region->state == ACRE_STATE_DEFERRED)
      acre_zombie_unlist(region);
  acre_destroy(set, here);
}

static bool carry_out(struct acre_condemned *set, enum acre_verdict verdict, const char *here) {
  if (verdict == ACRE_VERDICT_LINGERS && !acre_zombie_make(set))
    verdict = ACRE_VERDICT_STAYS;
  if (verdict == ACRE_VERDICT_GOES || verdict == ACRE_VERDICT_LINGERS)
    destroy(set, here);
  else if (verdict == ACRE_VERDICT_WAITS)
    defer(set);
  else
    acre_condemned_dissolve(set);
  return verdict != ACRE_VERDICT_STAYS;
}

bool acre_delete_carry_out(struct acre_condemned *set, enum acre_verdict verdict,
                           const char *here) {
  const bool is_gone = carry_out(set, verdict, here);
  acre_delete_reclaim_sometimes();
  return is_gone;
}

bool acre_delete_set(struct acre_condemned *set, struct acre_report_words words, const char *here,
                     void *frame) {
  return acre_delete_carry_out(set, acre_delete_decide(set, words, here, frame), here);
}

static bool delete_set(struct acre_condemned *set, const char *here, void *frame) {
  add_below_if_severed(set);
  return acre_delete_set(
      set, (struct acre_report_words){.verb = "delete", .event = "deleteregion called"}, here,
      frame);
}

/* Not inline: its frame begins after the stack was cleared (acre_delete_clear_stack). */
__attribute__((noinline)) static bool delete_one(struct acre_region_entry *region, const char *here,
                                                 void *frame) {
  struct acre_condemned set = {0};
  acre_condemned_add(&set, region);
  return delete_set(&set, here, frame);
}

/* A subregion whose delete is deferred is in the way of this one only if it cannot go now. */
static void reclaim_children(const struct acre_region_entry *region) {
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling)
    if (child->state == ACRE_STATE_DEFERRED) {
      acre_region_reclaim();
      return;
    }
}

static struct acre_region_entry *expect_deletable(acre_region handle, const char *here) {
  acre_delete_clear_stack();
  struct acre_region_entry *region =
      acre_registry_expect_own_at(handle, "deleteregion", here, NULL);
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("deleteregion: the permanent region cannot be deleted");
  reclaim_children(region);
  return region;
}

bool acre_region_delete(acre_region handle, const char *here) {
  return delete_one(expect_deletable(handle, here), here, (void *)acre_frame_end());
}

bool acre_region_delete_ptr(acre_region *place, const char *here) {
  acre_region handle = *place;
  struct acre_region_entry *region = expect_deletable(handle, here);
  *place = NULL;
  bool is_gone = delete_one(region, here, (void *)acre_frame_end());
  if (!is_gone)
    *place = handle;
  return is_gone;
}

bool acre_region_delete_array(size_t count, acre_region *handles, const char *here) {
  struct acre_condemned set = {0};
  for (size_t i = 0; i < count; i++)
    expect_deletable(handles[i], here); /* all that it reclaims has gone before there is a set */
  for (size_t i = 0; i < count; i++) {
    struct acre_region_entry *region =
        acre_registry_expect_own_at(handles[i], "deleteregion", here, NULL);
    if (acre_registry_is_condemned(region))
      acre_os_fatal("deleteregion_array: element %zu names the same region as an earlier one", i);
    acre_condemned_add(&set, region);
  }
  return !set.first || delete_set(&set, here, (void *)acre_frame_end());
}

/* -- Blocks and arenas (scope.h) --------------------------------------------------------------- */

/* Callers have not pinned their locals: they cannot know this region.  They may know those that are
 * deferred. */
void acre_region_end(struct acre_region_entry *region, enum acre_region_ending how,
                     const char *here, void *frame) {
  ACRE_ASSERT(region->owner == acre_thread_id());
  acre_delete_clear_stack();
  if (__builtin_expect(acre_is_verifying, 0))
    acre_verify_or_abort(here);
  struct acre_condemned set = {.spares_frames = acre_frames_are_searched()};
  acre_delete_add_tree(&set, region);
  const struct acre_report_words words = {.verb = "delete",
                                          .event = "the end of the block of acre_scoped_region"};
  struct acre_region_entry *obstacle = acre_delete_find_obstacle(&set, (uintptr_t)frame);
  enum acre_verdict verdict = ACRE_VERDICT_WAITS;
  if (how != ACRE_END_LATER && !obstacle)
    verdict = are_frames_searched() ? search_frames(&set) : ACRE_VERDICT_GOES;
  else if (how == ACRE_END_OR_ABORT)
    verdict = refuse(&set, obstacle, words, here);
  carry_out(&set, verdict == ACRE_VERDICT_STAYS ? ACRE_VERDICT_WAITS : verdict, here);
}
