/* SPDX-License-Identifier: MIT */
/* stale.c - see stale.h. */
#include "foreign/stale.h"

#include <string.h>

#include "counting/describe.h"
#include "counting/globals.h"
#include "counting/kept.h"
#include "counting/lazy.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/relation.h"
#include "counting/store.h"
#include "foreign/escaped_locals.h"
#include "gc/process/process.h"
#include "memory/descriptor.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/staying.h"
#include "platform/thread.h"

/* -- Reading slots ----------------------------------------------------------------------------- */

/* Pages that were read since acre_slots_stay.  Many slots of a pool's referrers lie side by side,
   and to ask the kernel for each took a third of a server's time. */
enum { PAGES = 64, PAGE_BYTES = 4096 };
static struct {
  bool is_on, has_any;
  /* Complements, 0 for none: a collection that decides whether the region goes finds no object
     alive because its page is listed here. */
  uintptr_t complements[PAGES];
} pages;

/* Threads read what was written before there were any. */
void acre_slots_stay(bool do_they) {
  if (!acre_is_single_threaded())
    return;
  if (pages.has_any)
    memset(&pages, 0, sizeof pages);
  pages.is_on = do_they;
}

/* The page of slot; 0 if it is in two. */
static uintptr_t page_of(uintptr_t slot) {
  const uintptr_t page = slot & ~(uintptr_t)(PAGE_BYTES - 1);
  return slot + ACRE_SLOT_SIZE <= page + PAGE_BYTES ? page : 0;
}

/* Where it says that page was read; a page that falls in the same place takes it. */
static uintptr_t *complement_of(uintptr_t page) {
  return &pages.complements[page / PAGE_BYTES % PAGES];
}

bool acre_slot_read(uintptr_t slot, void **value) {
  const uintptr_t page = pages.is_on ? page_of(slot) : 0;
  /* Region memory that is owned is mapped; so is the live part of this thread's stack. */
  if (acre_page_owner((void *)slot) || acre_thread_is_on_stack(slot) || acre_memory_stays(slot) ||
      (page && *complement_of(page) == ~page)) {
    *value = acre_read_slot(slot);
    return true;
  }
  if (!acre_os_read((void *)slot, value, sizeof *value))
    return acre_os_read_locked((void *)slot, value, sizeof *value);
  if (page) {
    *complement_of(page) = ~page;
    pages.has_any = true;
  }
  return true;
}

/* -- Healing ----------------------------------------------------------------------------------- */

static bool is_dead_stack(uintptr_t slot, uintptr_t frame) {
  return acre_thread_is_on_stack(frame) && slot < frame && acre_thread_is_on_stack(slot);
}

/* The region in which slot should be counted, by what memory holds now. */
static uint32_t truth_of(uintptr_t slot, uintptr_t frame) {
  void *value;
  if (is_dead_stack(slot, frame) || acre_gc_process_is_dead((void *)slot) ||
      acre_kept_is_over((void *)slot) || !acre_slot_read(slot, &value))
    return 0;
  return acre_counted_target((void *)slot, value);
}

/* Another thread may store to the slot meanwhile: whoever sets the record last must have seen the
 * memory after. */
static void make_true(uintptr_t slot, uint32_t truth, uintptr_t frame) {
  for (uint32_t region = truth + 1; region != truth;) {
    region = truth;
    acre_record_set(slot, region);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    truth = truth_of(slot, frame);
  }
}

void acre_slot_recount(uintptr_t slot) {
  ACRE_ASSERT(!acre_place_is_of_frame((void *)slot));
  make_true(slot, truth_of(slot, 0), 0);
}

static void heal(uintptr_t slot, uint32_t truth, uintptr_t frame) {
  acre_add64(&acre_counters.records_healed, 1);
  make_true(slot, truth, frame);
}

uint32_t acre_heal_slot(uintptr_t slot, uint32_t region, uintptr_t frame) {
  uint32_t truth = truth_of(slot, frame);
  if (truth != region)
    heal(slot, truth, frame);
  return truth;
}

bool acre_settle_lazy(uintptr_t frame) {
  if (acre_lazy_is_empty())
    return false;
  acre_thread_find_stack();
  for (uintptr_t slot; acre_lazy_take(&slot);) {
    uint32_t region = acre_record_end_lazy(slot), truth = region ? truth_of(slot, frame) : 0;
    if (truth != region)
      make_true(slot, truth, frame);
  }
  return true;
}

/* Is slot a plain slot whose type says so: in a region object or a registered global?  Those are
   only ever written by code that keeps their records. */
static bool is_typed_slot(uintptr_t slot) {
  if (!acre_page_owner((void *)slot)) {
    struct acre_global_place place = acre_global_find(slot);
    return place.global && !place.is_thread_local;
  }
  struct acre_object object = acre_object_find((void *)slot);
  if (!object.site || !object.site->type)
    return false;
  size_t index;
  const acre_slot *run =
      acre_type_slot_at(object.site->type, object.size, slot - (uintptr_t)object.start, &index);
  return run && run->rule == ACRE_SLOT_PLAIN;
}

struct healing {
  uintptr_t frame;
  bool is_sound;
};

static void heal_any(uintptr_t slot, uint32_t region, void *context) {
  struct healing *healing = context;
  uint32_t truth = truth_of(slot, healing->frame);
  if (truth == region || (!truth && region == ACRE_INDEX_ESCAPED))
    return;
  if (truth && is_typed_slot(slot)) {
    healing->is_sound = false;
    acre_os_print(2, "acre: verify: ");
    acre_print_slot(2, (void *)slot, acre_read_slot(slot));
    acre_os_print(2, " is counted in ");
    acre_print_region(2, acre_registry_at(region));
    acre_os_print(2, " but points into ");
    acre_print_region(2, acre_registry_at(truth));
    acre_os_print(2, "\n");
    return;
  }
  heal(slot, truth, healing->frame);
}

bool acre_heal_all(uintptr_t frame) {
  struct healing healing = {frame, true};
  acre_thread_find_stack();
  acre_record_each(ACRE_RECORD_ANYWHERE, heal_any, &healing);
  return healing.is_sound;
}
