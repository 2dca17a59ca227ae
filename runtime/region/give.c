/* SPDX-License-Identifier: MIT */
/* give.c - see give.h. */
#include "region/give.h"

#include <stdlib.h>

#include "counting/block.h"
#include "counting/describe.h"
#include "counting/pin.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "evidence/report.h"
#include "evidence/verify.h"
#include "foreign/stale.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/sanitizer.h"
#include "platform/thread.h"
#include "region/condemned.h"
#include "region/delete.h"
#include "region/frames.h"
#include "region/sever.h"
#include "region/start.h"
#include "region/zombie.h"

/* -- Owners ------------------------------------------------------------------------------------ */

/* A thread remembers relations, and allocates in line, in what it owns. */
static void close_set(struct acre_condemned *set) {
  struct acre_region_entry *root = set->first;
  ACRE_ASSERT(root->owner == acre_thread_id() && !root->parent && "a tree is closed by its owner");
  for (struct acre_region_entry *each = root; each; each = each->condemned.next) {
    acre_forget_relations(each->index);
    each->open = NULL;
    acre_registry_drop_current(acre_handle_of(each));
    if (each != root)
      __atomic_store_n(&each->owner, ACRE_OWNER_CLOSED, __ATOMIC_RELAXED);
  }
  acre_condemned_dissolve(set);
  acre_sanitizer_release(root);
  __atomic_store_n(&root->owner, ACRE_OWNER_CLOSED, __ATOMIC_RELEASE);
}

static void own(struct acre_region_entry *region) {
  region->number = 0;
  __atomic_store_n(&region->owner, acre_thread_id(), __ATOMIC_RELAXED);
  acre_registry_update_open(region);
}

void acre_region_adopt(struct acre_region_entry *region) {
  ACRE_ASSERT(region->is_pool);
  if (__builtin_expect(acre_region_owner(region) == acre_thread_id(), 1))
    return;
  acre_thread_own();
  region->is_remembered |= region->is_noted;
  own(region);
}

/* Those whose delete is deferred are not closed: they wait in the list of their thread. */
static void own_closed(struct acre_region_entry *root) {
  struct acre_condemned set = {0};
  acre_condemned_add_tree(&set, root);
  for (struct acre_region_entry *each = set.first; each; each = each->condemned.next)
    own(each);
  acre_condemned_dissolve(&set);
}

/* Nobody knows of the list of a thread that has ended. */
static void own_left(struct acre_region_entry *root) {
  for (struct acre_region_entry *each = root; each; each = acre_registry_next_below(root, each)) {
    own(each);
    if (each->state == ACRE_STATE_DEFERRED)
      acre_zombie_adopt(each);
  }
}

/* -- Arenas ------------------------------------------------------------------------------------ */

void acre_region_close(struct acre_region_entry *region, const char *here, void *frame) {
  ACRE_ASSERT(region->owner == acre_thread_id() && !region->parent);
  acre_delete_clear_stack();
  struct acre_condemned set = {0};
  acre_condemned_add_tree(&set, region);
  struct acre_region_entry *obstacle = acre_delete_find_obstacle(&set, (uintptr_t)frame);
  if (obstacle)
    acre_delete_abort_for(
        obstacle,
        (struct acre_report_words){.verb = "close", .event = "the end of the block of acre_open"},
        here);
  close_set(&set);
}

void acre_region_close_unchecked(struct acre_region_entry *region) {
  struct acre_condemned set = {0};
  acre_condemned_add_tree(&set, region);
  close_set(&set);
}

void acre_region_open(struct acre_region_entry *region) {
  ACRE_ASSERT(acre_region_owner(region) == ACRE_OWNER_CLOSED);
  own_closed(region);
}

/* -- Refusals ---------------------------------------------------------------------------------- */

/* What a thread wants of a tree. */
struct wish {
  const char *verb, *function, *here;
};

static bool is_fatal(const struct acre_region_entry *region) {
  return acre_delete_policy_of(region) == ACRE_DELETE_ABORT;
}

static void print_refusal(const struct acre_region_entry *region, const struct wish *wish) {
  acre_os_print(2, "acre: fatal: cannot %s ", wish->verb);
  acre_print_region(2, region);
  acre_os_print(2, ": ");
}

static void print_wish(const struct wish *wish) {
  acre_os_print(2, "\n  %s called at %s\n", wish->function,
                wish->here ? wish->here : "an unknown place");
}

/* Ends the program if the policy of region says so: "cannot take REGION: WHY OTHER". */
static bool refuse(const struct acre_region_entry *region, const struct wish *wish, const char *why,
                   const struct acre_region_entry *other) {
  if (!is_fatal(region))
    return false;
  print_refusal(region, wish);
  acre_os_print(2, "%s", why);
  if (other)
    acre_print_region(2, other);
  print_wish(wish);
  abort();
}

/* -- What leads out of a tree ------------------------------------------------------------------ */

struct leaving {
  const struct acre_condemned *set;
  uintptr_t frame;
  bool is_told;
  size_t found;
};

static bool is_outside(const struct leaving *leaving, uint32_t region) {
  return region > ACRE_INDEX_PERMANENT &&
         acre_condemned_set_of(acre_registry_at(region)) != leaving->set;
}

static void tell(uintptr_t slot, size_t number, uint32_t region) {
  void *value = NULL;
  acre_slot_read(slot, &value);
  acre_os_print(2, "\n  %zu. ", number);
  acre_print_slot(2, (void *)slot, value);
  acre_print_stored(2, (void *)slot, value);
  acre_os_print(2, " points to ");
  acre_print_object(2, value);
  acre_os_print(2, " in ");
  acre_print_region(2, acre_registry_at(region));
}

static void look_at(uintptr_t slot, uint32_t region, void *context) {
  struct leaving *leaving = context;
  if (!is_outside(leaving, region))
    return;
  region = acre_heal_slot(slot, region, leaving->frame);
  if (is_outside(leaving, region) && leaving->found++ < acre_report_limit && leaving->is_told)
    tell(slot, leaving->found, region);
}

static void look_in(uintptr_t low, uintptr_t high, void *context) {
  acre_record_each_in(low, high, look_at, context);
}

/* How many slots of set lead into regions outside it.  O(1) for a region that never had a pointer
   into another, or below it. */
static size_t count_leaving(const struct acre_condemned *set, uintptr_t frame, bool is_told) {
  struct leaving leaving = {set, frame, is_told, 0};
  bool is_settled = false;
  for (struct acre_region_entry *each = set->first; each; each = each->condemned.next) {
    if (!__atomic_load_n(&each->is_referring, __ATOMIC_RELAXED))
      continue;
    if (!is_settled)
      acre_settle_lazy(frame);
    is_settled = true;
    acre_block_each(each, look_in, &leaving);
  }
  return leaving.found;
}

static bool refuse_leaving(const struct acre_condemned *set, const struct wish *wish,
                           uintptr_t frame, size_t count) {
  if (!is_fatal(set->first))
    return false;
  print_refusal(set->first, wish);
  acre_os_print(2, "%zu reference%s to other regions remain%s", count, count == 1 ? "" : "s",
                count == 1 ? "s" : "");
  print_wish(wish);
  acre_os_print(2, "  it would lead another thread into what stays with this one:");
  count_leaving(set, frame, true);
  if (count > acre_report_limit)
    acre_os_print(2, "\n  and %zu more", count - acre_report_limit);
  acre_os_print(2,
                "\n  hint: clear these fields first, or copy what they point to into the region\n");
  abort();
}

/* -- What leads into it ------------------------------------------------------------------------ */

static struct acre_region_entry *find_bound(const struct acre_condemned *set) {
  struct acre_region_entry *each = set->first;
  while (each && !each->is_bound)
    each = each->condemned.next;
  return each;
}

/* What was cleared while frames used it is known by the name of the region (zombie.h). */
static const struct acre_region_entry *find_former(const struct acre_condemned *set) {
  for (const struct acre_region_entry *each = acre_self.deferred; each; each = each->next) {
    const struct acre_region_entry *former =
        each->is_zombie ? acre_registry_find(each->former) : NULL;
    if (former && acre_condemned_set_of(former) == set)
      return former;
  }
  return NULL;
}

static bool refuse_referred(struct acre_condemned *set, struct acre_region_entry *obstacle,
                            const struct wish *wish) {
  const bool ends = is_fatal(set->first);
  acre_sever_log(set, ends ? "and the program ends" : "which is not given away", wish->here);
  if (ends)
    acre_delete_abort_for(obstacle,
                          (struct acre_report_words){.verb = wish->verb,
                                                     .event = "acre_region_give called",
                                                     .is_given = true},
                          wish->here);
  return false;
}

/* -- Giving ------------------------------------------------------------------------------------ */

static bool may_give(struct acre_condemned *set, const struct wish *wish, void *frame) {
  struct acre_region_entry *root = set->first;
  if (root->parent)
    return refuse(root, wish, "it is below ", root->parent);
  const struct acre_region_entry *bound = find_bound(set);
  if (bound)
    return refuse(root, wish, "a block or a key ends ", bound);
  if (__builtin_expect(acre_is_verifying, 0))
    acre_verify_or_abort(wish->here);
  set->spares_frames = acre_frames_are_searched();
  struct acre_region_entry *obstacle = acre_delete_find_obstacle(set, (uintptr_t)frame);
  if (obstacle)
    return refuse_referred(set, obstacle, wish);
  const size_t leaving = count_leaving(set, (uintptr_t)frame, false);
  if (leaving)
    return refuse_leaving(set, wish, (uintptr_t)frame, leaving);
  const struct acre_region_entry *former = find_former(set);
  if (former)
    return refuse(root, wish, "frames still use what was cleared of ", former);
  if (acre_delete_is_reached(set))
    return refuse(root, wish, "a frame leads to it", NULL);
  return true;
}

static struct acre_region_entry *expect_own(acre_region handle, const struct wish *wish) {
  struct acre_region_entry *region =
      acre_registry_expect_own_at(handle, wish->function, wish->here, NULL);
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal_call(&(acre_os_call){.what = wish->function, .here = wish->here},
                       "the permanent region is every thread's");
  return region;
}

bool acre_region_give_at(acre_region handle, const char *here) {
  const struct wish wish = {"give away", "acre_region_give", here};
  acre_delete_clear_stack();
  struct acre_region_entry *region = expect_own(handle, &wish);
  struct acre_condemned set = {0};
  acre_condemned_add_tree(&set, region);
  const bool is_given = may_give(&set, &wish, (void *)acre_frame_end());
  if (is_given) {
    region->given_here = here ? here : "an unknown place";
    close_set(&set);
  } else {
    acre_condemned_dissolve(&set);
  }
  acre_delete_reclaim_sometimes();
  return is_given;
}

/* -- Taking ------------------------------------------------------------------------------------ */

bool acre_region_take_at(acre_region handle, const char *here) {
  const struct wish wish = {"take", "acre_region_take", here};
  acre_runtime_start();
  acre_pin_settle();
  struct acre_region_entry *region = acre_registry_expect_at(handle, wish.function, here);
  uint32_t owner = __atomic_load_n(&region->owner, __ATOMIC_ACQUIRE);
  if (owner == acre_thread_id() || !owner || region->state != ACRE_STATE_LIVE)
    return expect_own(handle, &wish);
  const bool is_given = owner == ACRE_OWNER_CLOSED;
  if (!is_given && !acre_thread_has_ended(owner))
    return refuse(region, &wish, "its thread has not given it away", NULL);
  if (region->parent)
    return refuse(region, &wish, "it is below ", region->parent);
  if (region->is_bound)
    return refuse(region, &wish, "a block or a key ends ", region);
  acre_thread_own();
  if (!__atomic_compare_exchange_n(&region->owner, &owner, acre_thread_id(), false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return refuse(region, &wish, "another thread has just taken it", NULL);
  acre_sanitizer_acquire(region);
  if (is_given)
    own_closed(region);
  else
    own_left(region);
  return true;
}
