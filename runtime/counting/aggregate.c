/* SPDX-License-Identifier: MIT */
/* aggregate.c - objects of known type that were overwritten: the barriers of struct copies.
 *
 * Invariant: afterwards each slot that the descriptor names agrees with its rule, as store.h and
 * rule.h say; an annotated slot has no record, whatever lay there before.  acre_rt_rescan_typed and
 * acre_rt_rescan_copied take all other words for plain slots, since other data may lie there
 * (unions); acre_rt_rescan_slots leaves them alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/object.h"
#include "counting/pointer_bytes.h"
#include "counting/rule.h"
#include "counting/scan.h"
#include "counting/store.h"
#include "memory/descriptor.h"
#include "platform/atomic.h"
#include "platform/thread.h"

/* The slots of an object that has been overwritten. */
struct typed_scan {
  struct acre_scan scan;
  uint32_t holder;
  uintptr_t low, high; /* slots that do not lie wholly in there are not looked at */
  uint64_t annotated;  /* of an object of up to so many words, one bit each */
};

enum { MOST_MARKED = 64 };

static void check_annotated_slot(const struct typed_scan *typed, acre_slot_rule rule,
                                 uintptr_t slot) {
  void *value = acre_read_slot(slot);
  acre_add64(&acre_counters.stores_checked, 1);
  if (!value)
    return;
  if (rule == ACRE_SLOT_PARENTPTR)
    acre_rule_check_upward((void *)slot, typed->holder, value, typed->scan.where);
  else if (!acre_rule_allows_in(rule, typed->holder, value))
    acre_rule_fail(rule, (void *)slot, value, typed->scan.where);
}

static void check_typed_slot(const acre_slot *run, size_t offset, void *context) {
  struct typed_scan *typed = context;
  uintptr_t slot = typed->scan.base + offset;
  if (slot < typed->low || slot + ACRE_SLOT_SIZE > typed->high)
    return;
  if (acre_rule_is_counted(run->rule)) {
    if (slot % ACRE_SLOT_SIZE != 0 && !typed->scan.is_uncounted)
      acre_store_reconcile(slot, acre_read_slot(slot));
    return;
  }
  typed->annotated |= (uint64_t)1 << offset / ACRE_SLOT_SIZE % MOST_MARKED;
  check_annotated_slot(typed, (acre_slot_rule)run->rule, slot);
}

/* Looks at the words of a small object that are no annotated slots; those have no record. */
static void scan_unmarked(const struct typed_scan *typed) {
  struct acre_scan plain = {.is_looked_up = true};
  uintptr_t low = typed->scan.base, high = low + typed->scan.size;
  bool is_clear = (low ^ (high - 1)) < ACRE_RECORD_BLOCK_SIZE
                      ? acre_record_is_clear(low, high)
                      : !acre_record_maybe(low) && !acre_record_maybe(high - 1);
  uint64_t annotated = typed->annotated;
  for (uintptr_t slot = low; slot < high; slot += ACRE_SLOT_SIZE, annotated >>= 1)
    if (annotated & 1) {
      if (!is_clear)
        acre_record_set(slot, 0);
    } else if (is_clear) {
      acre_scan_fresh_word(&plain, slot);
    } else {
      acre_scan_word(&plain, slot);
    }
}

static struct typed_scan typed_scan(uintptr_t address, size_t size, const acre_type *type,
                                    const acre_rt_where *where) {
  bool is_uncounted = acre_thread_is_uncounted(address);
  return (struct typed_scan){.scan = {.type = type,
                                      .base = address,
                                      .size = size,
                                      .is_looked_up = true,
                                      .is_uncounted = is_uncounted,
                                      .where = where},
                             .holder = acre_page_owner((void *)address),
                             .low = address,
                             .high = address + size};
}

/* Are all slots of objects of type at address aligned, and no one annotated? */
static bool has_plain_words(const acre_type *type, uintptr_t address) {
  for (uint32_t i = 0; i < type->slot_count; i++)
    if (!acre_rule_is_counted(type->slots[i].rule))
      return false;
  return !acre_type_is_packed(type, address);
}

void acre_rt_rescan_typed(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where) {
  if (!acre_is_counting() || size == 0 ||
      (acre_scan_is_internal((uintptr_t)address, size) &&
       has_plain_words(type, (uintptr_t)address)))
    return;
  struct typed_scan typed = typed_scan((uintptr_t)address, size, type, where);
  bool is_uncounted = typed.scan.is_uncounted;
  bool is_small = size <= MOST_MARKED * ACRE_SLOT_SIZE &&
                  ((uintptr_t)address | size) % ACRE_SLOT_SIZE == 0 &&
                  !acre_type_is_packed(type, (uintptr_t)address);
  if (!is_uncounted && !is_small)
    acre_scan_range(&typed.scan, (uintptr_t)address, size);
  acre_type_each_slot(type, size, check_typed_slot, &typed);
  if (!is_uncounted && is_small)
    scan_unmarked(&typed);
}

static void scan_slot(const acre_slot *run, size_t offset, void *context) {
  struct typed_scan *typed = context;
  uintptr_t slot = typed->scan.base + offset;
  struct acre_scan plain = {.is_looked_up = true};
  if (!acre_rule_is_counted(run->rule)) {
    check_annotated_slot(typed, (acre_slot_rule)run->rule, slot);
    acre_store_clear(slot);
  } else if (typed->scan.is_uncounted) {
    return;
  } else if (slot % ACRE_SLOT_SIZE != 0) {
    acre_store_reconcile(slot, acre_read_slot(slot));
  } else if (acre_line_has(slot)) {
    acre_scan_word(&plain, slot);
  } else {
    acre_scan_fresh_word(&plain, slot);
  }
}

/* Without annotated slots there is something to do only where an aligned word is in the window, or
 * has a record. */
void acre_rt_rescan_slots(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where) {
  if (!acre_is_counting() || size == 0)
    return;
  if (!where && !acre_type_is_packed(type, (uintptr_t)address) &&
      ((acre_is_filtered((uintptr_t)address, size) &&
        !acre_defined(acre_may_hold_pointer((uintptr_t)address, size))) ||
       acre_scan_is_internal((uintptr_t)address, size)))
    return;
  struct typed_scan typed = typed_scan((uintptr_t)address, size, type, where);
  acre_type_each_slot(type, size, scan_slot, &typed);
}

/* [address, address + size) has been overwritten with part of an object like the one described,
 * which would begin at base. */
static void rescan_part(uintptr_t address, size_t size, uintptr_t base, struct acre_object object,
                        const acre_rt_where *where) {
  const acre_type *type = object.site->type;
  struct typed_scan typed = typed_scan(address, size, type, where);
  typed.scan.base = base;
  typed.scan.size = object.size;
  if (!typed.scan.is_uncounted)
    acre_scan_range(&typed.scan, address, size);
  /* In an array, the elements that the range touches. */
  size_t skipped =
      type->flexible_stride || !type->size ? 0 : (address - base) / type->size * type->size;
  typed.scan.base = base + skipped;
  acre_type_each_slot(type, address + size - typed.scan.base, check_typed_slot, &typed);
}

static struct acre_object described_object(const void *p) {
  struct acre_object none = {0}, object = acre_page_owner(p) ? acre_object_find(p) : none;
  return object.site && object.site->type ? object : none;
}

void acre_rt_rescan_copied(void *address, const void *from, size_t size, const acre_type *type,
                           const acre_rt_where *where) {
  if (!acre_is_counting() || size == 0)
    return;
  const size_t known = type->size <= size ? type->size : 0;
  acre_rt_rescan_typed(address, known, type, where);
  struct acre_object object = described_object(address);
  uintptr_t rest = (uintptr_t)address + known, base = (uintptr_t)object.start;
  if (!object.site) {
    object = described_object(from);
    base = (uintptr_t)address - ((uintptr_t)from - (uintptr_t)object.start);
  }
  if (size == known)
    return;
  if (object.site)
    rescan_part(rest, size - known, base, object, where);
  else
    acre_rt_rescan((void *)rest, size - known);
}
