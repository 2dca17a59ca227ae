/* SPDX-License-Identifier: MIT */
/* verify.c - recounts everything from scratch and compares.
 *
 *   1. Every structure passes its own check: pages, region table, forest, blocks, objects, records.
 *   2. Every typed slot (in region objects and registered globals) agrees with its record and obeys
 *      its rule.
 *   3. Records of other memory that are stale are healed.
 *   4. The count of each region is the number of records that name it plus the number of its pins.
 *
 * While other threads run, or in a child that was forked while some did, only the calling thread's
 * regions are looked at, and none that has the memory of a pool: any other thread may use it next,
 * and owns it from then on (region/pool.c).  A count that differs is compared again: it is wrong
 * only if it stays so.
 */
#include "evidence/verify.h"

#include <sched.h>
#include <string.h>

#include "counting/describe.h"
#include "counting/globals.h"
#include "counting/pin.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "counting/rule.h"
#include "counting/store.h"
#include "foreign/stale.h"
#include "memory/descriptor.h"
#include "memory/pages.h"
#include "platform/atomic.h"
#include "platform/frame.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/thread.h"

bool acre_is_verifying;

#define RETRIES 100

/* What threads of the parent were in the middle of stays so in the child of a fork. */
static bool has_inherited;

void acre_verify_in_child(void) { has_inherited = has_inherited || !acre_is_single_threaded(); }

/* Another thread may be making or deleting a region there. */
static bool is_in_scope(const struct acre_region_entry *region, bool is_alone) {
  acre_registry_lock();
  bool is_region = region->state == ACRE_STATE_LIVE || region->state == ACRE_STATE_DEFERRED;
  bool is_ours = is_alone || (acre_region_owner(region) == acre_thread_id() && !region->is_pool);
  acre_registry_unlock();
  return is_region && is_ours;
}

/* -- 1. Structures ----------------------------------------------------------------------------- */

static bool complain(const char *what, const struct acre_region_entry *region) {
  acre_os_print(2, "acre: verify: %s of ", what);
  acre_print_region(2, region);
  acre_os_print(2, " is damaged\n");
  return false;
}

static bool check_region(struct acre_region_entry *region) {
  if (!acre_registry_check_entry(region))
    return complain("the table entry", region);
  if (!region->parent && !acre_order_check(&region->begin))
    return complain("the order list", region);
  if (!acre_object_check(region))
    return complain("a block", region);
  return true;
}

/* -- 2. Typed slots ---------------------------------------------------------------------------- */

struct slot_check {
  uintptr_t base;
  bool is_sound;
};

static void complain_slot(uintptr_t slot, const char *what, const void *value) {
  acre_os_print(2, "acre: verify: ");
  acre_print_slot(2, (void *)slot, value);
  acre_os_print(2, " %s ", what);
  acre_print_object(2, value);
  acre_os_print(2, " in ");
  acre_print_region(2, acre_registry_at(acre_page_owner(value)));
  acre_os_print(2, "\n");
}

static void check_slot(const acre_slot *run, size_t offset, void *context) {
  struct slot_check *check = context;
  uintptr_t slot = check->base + offset, start;
  const void *value = acre_read_slot(slot);
  if (run->rule == ACRE_SLOT_UNION || acre_is_moved_by_clear(value))
    return;
  if (run->rule != ACRE_SLOT_PLAIN) {
    if (!acre_rule_allows((acre_slot_rule)run->rule, (void *)slot, value)) {
      complain_slot(slot, "breaks its annotation: it points to", value);
      check->is_sound = false;
    }
    return;
  }
  uint32_t target = acre_counted_target((void *)slot, value);
  if (target && (acre_record_get(slot, &start) == 0 || start != slot)) {
    complain_slot(slot, "is not counted, but points to", value);
    check->is_sound = false;
  }
}

static void check_object(const struct acre_object *object, void *context) {
  struct slot_check *check = context;
  check->base = (uintptr_t)object->start;
  if (object->site && object->site->type)
    acre_type_each_slot(object->site->type, object->size, check_slot, check);
}

static void check_global(const acre_rt_global *global, void *context) {
  struct slot_check *check = context;
  if (global->type) {
    check->base = (uintptr_t)global->address;
    acre_type_each_slot(global->type, global->size, check_slot, check);
    return;
  }
  static const acre_slot plain = {.count = 1, .rule = ACRE_SLOT_PLAIN, .name = ""};
  check->base =
      ((uintptr_t)global->address + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
  uintptr_t end = (uintptr_t)global->address + global->size;
  for (size_t offset = 0; check->base + offset + ACRE_SLOT_SIZE <= end; offset += ACRE_SLOT_SIZE)
    check_slot(&plain, offset, check);
}

/* -- 4. Counts --------------------------------------------------------------------------------- */

/* Tallies of up to this many regions need no table. */
#define FEW_REGIONS 64

/* References found to each region.  They are not its tally, because that belongs to a thread that
 * may be deleting it. */
struct tallies {
  int64_t *of; /* by index */
  uint32_t count;
};

/* An index past the table is a region that another thread has made since: not this thread's. */
static void tally(const struct tallies *t, uint32_t region) {
  if (region < t->count)
    t->of[region]++;
}

static void tally_record(uintptr_t slot, uint32_t region, void *context) {
  const uint64_t areas = __atomic_load_n(&acre_registry_at(region)->areas, __ATOMIC_RELAXED);
  if (areas & acre_record_area(slot))
    tally(context, region); /* what a delete would not find is missing */
}

static void tally_pin(const struct acre_pin_entry *entry, void *context) {
  tally(context, entry->region->index);
}

static void tally_thread(struct acre_thread *thread, void *context) {
  acre_pin_each(thread, tally_pin, context);
}

static bool compare_counts(struct tallies *t, bool is_alone, bool is_last_try) {
  bool is_right = true;
  memset(t->of, 0, t->count * sizeof *t->of);
  acre_record_each(ACRE_RECORD_ANYWHERE, tally_record, t);
  acre_thread_each(tally_thread, t);
  for (uint32_t i = 0; i < t->count; i++) {
    const struct acre_region_entry *region = acre_registry_at(i);
    if (!is_in_scope(region, is_alone))
      continue;
    int64_t count = __atomic_load_n(&region->count, __ATOMIC_ACQUIRE);
    if (t->of[i] == count)
      continue;
    is_right = false;
    if (!is_last_try)
      continue;
    acre_os_print(2, "acre: verify: the count of ");
    acre_print_region(2, region);
    acre_os_print(2, " is %lld, but %lld references were found\n", (long long)count,
                  (long long)t->of[i]);
  }
  return is_right;
}

static bool check_counts(bool is_alone) {
  struct tallies t = {.count = acre_registry_limit()};
  int tries = is_alone ? 1 : RETRIES;
  /* A program without many regions may have used up its memory. */
  int64_t few[FEW_REGIONS];
  bool is_small = t.count <= FEW_REGIONS;
  t.of = is_small ? few : acre_os_table(t.count * sizeof *t.of);
  if (!t.of) {
    acre_os_print(2, "acre: verify: no memory to count references\n");
    return false;
  }
  bool is_right = false;
  while (!is_right && tries-- > 0) {
    is_right = compare_counts(&t, is_alone, tries == 0);
    if (!is_right)
      sched_yield();
  }
  if (!is_small)
    acre_os_unreserve(t.of, t.count * sizeof *t.of);
  return is_right;
}

/* -- All --------------------------------------------------------------------------------------- */

static bool verify(uintptr_t frame) {
  bool is_alone = acre_thread_is_alone() && !has_inherited, is_sound = acre_pages_check();
  struct slot_check slots = {0, true};
  for (uint32_t i = 0; i < acre_registry_limit(); i++) {
    struct acre_region_entry *region = acre_registry_at(i);
    if (!is_in_scope(region, is_alone))
      continue;
    if (!check_region(region))
      is_sound = false;
    else if (!region->is_zombie) /* its slots lost their records with its name */
      acre_object_each(region, check_object, &slots);
  }
  if (!is_sound)
    return false; /* what follows relies on it */
  if (is_alone) {
    acre_global_each(check_global, &slots);
    slots.is_sound &= acre_heal_all(frame);
    slots.is_sound &= acre_record_check();
  }
  return check_counts(is_alone) && slots.is_sound;
}

bool acre_verify(void) {
  acre_registry_expect_start();
  return verify(acre_frame_end());
}

void acre_verify_or_abort(const char *when) {
  if (!acre_verify())
    acre_os_fatal("the verifier found differences (%s)", when);
}
