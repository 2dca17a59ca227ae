/* SPDX-License-Identifier: MIT */
/* scan.c - see scan.h; the barriers of ranges (docs/design/counting.md). */
#include "counting/scan.h"

#include "counting/object.h"
#include "counting/pointer_bytes.h"
#include "counting/rule.h"
#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/thread.h"

bool acre_scan_expects_traditional;

void acre_rt_expect_traditional(void) { acre_scan_expects_traditional = true; }

/* -- Words ------------------------------------------------------------------------------------- */

static bool has_traditional_slots(const acre_type *type) {
  for (uint32_t i = 0; type && i < type->slot_count; i++)
    if (type->slots[i].rule == ACRE_SLOT_TRADITIONAL)
      return true;
  return false;
}

static void look_up(struct acre_scan *scan, uintptr_t slot) {
  if (scan->is_looked_up || slot - scan->base < scan->size || !acre_page_owner((void *)slot))
    return;
  struct acre_object object = acre_object_find((void *)slot);
  scan->type = object.site ? object.site->type : NULL;
  scan->base = (uintptr_t)object.start;
  scan->size = object.size;
  scan->has_traditional = has_traditional_slots(scan->type);
}

static acre_slot_rule rule_of(struct acre_scan *scan, uintptr_t slot) {
  look_up(scan, slot);
  if (!scan->type || slot - scan->base >= scan->size)
    return ACRE_SLOT_PLAIN;
  size_t index;
  const acre_slot *run = acre_type_slot_at(scan->type, scan->size, slot - scan->base, &index);
  return run ? (acre_slot_rule)run->rule : ACRE_SLOT_PLAIN;
}

void acre_scan_external(struct acre_scan *scan, uintptr_t slot, const void *value) {
  ACRE_ASSERT(acre_is_external((void *)slot, value));
  acre_slot_rule rule = rule_of(scan, slot);
  if (acre_rule_is_counted(rule)) {
    acre_store_reconcile(slot, value);
  } else {
    acre_rule_check(rule, (void *)slot, value, scan->where);
    acre_record_set(slot, 0);
  }
}

void acre_scan_internal(struct acre_scan *scan, uintptr_t slot, const void *value) {
  ACRE_ASSERT(acre_page_owner(value) && acre_page_owner(value) == acre_page_owner((void *)slot));
  look_up(scan, slot);
  if (scan->has_traditional && rule_of(scan, slot) == ACRE_SLOT_TRADITIONAL)
    acre_rule_check(ACRE_SLOT_TRADITIONAL, (void *)slot, value, scan->where);
}

void acre_scan_word(struct acre_scan *scan, uintptr_t slot) {
  ACRE_ASSERT(slot % ACRE_SLOT_SIZE == 0);
  uintptr_t start;
  bool has_record = acre_record_get(slot, &start) != 0;
  if (has_record && start != slot) {
    const void *value = acre_read_slot(start);
    if (acre_is_external((void *)start, value)) {
      acre_scan_external(scan, start, value);
      return;
    }
  }
  const void *value = acre_read_slot(slot);
  if (acre_is_external((void *)slot, value)) {
    acre_scan_external(scan, slot, value);
    return;
  }
  acre_scan_check_internal(scan, slot, value);
  if (has_record)
    acre_record_set(slot, 0);
}

/* -- Ranges ------------------------------------------------------------------------------------ */

/* [low, high) are aligned words of one record block. */
static void scan_block(struct acre_scan *scan, uintptr_t low, uintptr_t high) {
  enum { STEP = 32 * ACRE_SLOT_SIZE };
  bool has_records = acre_record_maybe(low);
  for (uintptr_t end; low < high; low = end) {
    end = high - low > STEP ? low + STEP : high;
    bool is_clear = !has_records || acre_record_is_clear(low, end);
    if (is_clear && !acre_has_window_word(low, (end - low) / ACRE_SLOT_SIZE))
      continue;
    /* Records that are made here concern no other word. */
    for (uintptr_t slot = low; slot < end; slot += ACRE_SLOT_SIZE)
      if (is_clear)
        acre_scan_fresh_word(scan, slot);
      else
        acre_scan_word(scan, slot);
  }
}

void acre_scan_range(struct acre_scan *scan, uintptr_t address, size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1;
  uintptr_t low = address & ~mask, high = (address + size + mask) & ~mask;
  while (low < high) {
    uintptr_t block_end = (low | (ACRE_RECORD_BLOCK_SIZE - 1)) + 1;
    uintptr_t end = block_end < high ? block_end : high;
    scan_block(scan, low, end);
    low = end;
  }
  /* Bytes copied as a misaligned array of words. */
  if (address & mask)
    for (uintptr_t slot = address; slot + ACRE_SLOT_SIZE <= address + size; slot += ACRE_SLOT_SIZE)
      acre_scan_fresh_word(scan, slot);
}

enum { SMALL = ACRE_RANGE_SMALL };

/* Is there certainly no record in [low, high)? */
static bool is_without_records(uintptr_t low, uintptr_t high) {
  if (high - low > SMALL)
    return false;
  bool is_in_block = (low ^ (high - 1)) < ACRE_RECORD_BLOCK_SIZE;
  return is_in_block ? acre_record_is_clear(low, high)
                     : !acre_record_maybe(low) && !acre_record_maybe(high - 1);
}

/* Does no word of [low, high) point into another region than owner? */
ACRE_RAW_READ static inline bool is_word_internal(uintptr_t word, uint32_t owner) {
  const size_t target = (word - acre_rt_window_base) >> ACRE_WINDOW_PAGE_SHIFT;
  return target >= acre_rt_window_pages ||
         __atomic_load_n(&acre_rt_page_map[target].owner, __ATOMIC_RELAXED) == owner;
}
ACRE_RAW_READ static inline bool are_words_internal(uintptr_t low, uintptr_t high, uint32_t owner) {
  const uint64_t tag = acre_rt_window_tag;
  if ((high - low) % ACRE_PAIR_SIZE != 0) {
    if (!is_word_internal(*(const acre_unaligned_word *)low, owner))
      return false;
    low += ACRE_SLOT_SIZE;
  }
  for (; low < high; low += ACRE_PAIR_SIZE) {
    const acre_word_pair words = *(const acre_unaligned_pair *)low;
    if (acre_any_lane(acre_in_window(words, tag)) &&
        (!is_word_internal(words[0], owner) || !is_word_internal(words[1], owner)))
      return false;
  }
  return true;
}

/* Whole words of a region, few and in one record block, which obey no rule that may forbid pointers
   into the region: its page map entry, else null. */
static inline const acre_rt_page *entry_of_words(uintptr_t address, size_t size) {
  if (size > SMALL || (address | size) % ACRE_SLOT_SIZE != 0 ||
      (address ^ (address + size - 1)) >= ACRE_RECORD_BLOCK_SIZE || acre_is_checked ||
      acre_scan_expects_traditional)
    return NULL;
  return acre_page_entry(address);
}

/* As acre_scan_is_internal, of what surely has no records. */
static inline bool is_internal_apart(uintptr_t address, size_t size) {
  const acre_rt_page *own = entry_of_words(address, size);
  if (!own)
    return false;
  const uintptr_t line = (uintptr_t)1 << ACRE_LINE_SHIFT;
  if (__atomic_load_n(&own->unrecorded, __ATOMIC_RELAXED) == ACRE_PAGE_RECORDED &&
      (size > line || acre_line_has(address) || acre_line_has(address + size - 1)))
    return false;
  return are_words_internal(address, address + size,
                            __atomic_load_n(&own->owner, __ATOMIC_RELAXED));
}

/* The same, of what may have records beside it. */
static bool is_internal_beside_records(uintptr_t address, size_t size) {
  const acre_rt_page *own = entry_of_words(address, size);
  return own && acre_record_is_clear(address, address + size) &&
         are_words_internal(address, address + size,
                            __atomic_load_n(&own->owner, __ATOMIC_RELAXED));
}

bool acre_scan_is_internal(uintptr_t address, size_t size) {
  return is_internal_apart(address, size) || is_internal_beside_records(address, size);
}

/* Whole words of one record block, without records. */
static bool is_fresh(uintptr_t low, size_t size) {
  return size <= SMALL && (low | size) % ACRE_SLOT_SIZE == 0 &&
         (low ^ (low + size - 1)) < ACRE_RECORD_BLOCK_SIZE && acre_record_is_clear(low, low + size);
}

static void rescan_fresh(uintptr_t low, size_t size) {
  struct acre_scan scan = {0};
  for (uintptr_t slot = low; slot < low + size; slot += ACRE_SLOT_SIZE)
    acre_scan_fresh_word(&scan, slot);
}

static void rescan_range(uintptr_t address, size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1;
  if (acre_thread_is_uncounted(address))
    return;
  if (is_fresh(address, size)) {
    rescan_fresh(address, size);
    return;
  }
  if (is_without_records(address & ~mask, (address + size + mask) & ~mask) &&
      !acre_defined(acre_may_hold_pointer(address, size)))
    return;
  struct acre_scan scan = {0};
  acre_scan_range(&scan, address, size);
}

__attribute__((noinline)) void acre_rescan_slowly(uintptr_t address, size_t size) {
  ACRE_ASSERT(size > 0);
  if (!acre_scan_is_internal(address, size))
    rescan_range(address, size);
}

/* Bytes of one aligned word. */
static void rescan_word(uintptr_t word) {
  struct acre_scan scan = {0};
  if (acre_thread_is_uncounted(word))
    return;
  if (acre_line_has(word))
    acre_scan_word(&scan, word);
  else
    acre_scan_fresh_word(&scan, word);
}

__attribute__((noinline)) static void rescan_bytes(uintptr_t address, size_t size) {
  if ((address ^ (address + size - 1)) < ACRE_SLOT_SIZE)
    rescan_word(address & ~(uintptr_t)(ACRE_SLOT_SIZE - 1));
  else if (!is_internal_beside_records(address, size) &&
           (!acre_is_filtered(address, size) || acre_may_hold_pointer(address, size)))
    rescan_range(address, size);
}

/* Calls nothing where there is nothing to do, as most often. */
void acre_rt_rescan(void *bytes, size_t size) {
  if (acre_is_counting() && size != 0 && !is_internal_apart((uintptr_t)bytes, size))
    rescan_bytes((uintptr_t)bytes, size);
}

void acre_rt_store_range(void *slots, size_t size) {
  if (!acre_is_counting() || acre_thread_is_uncounted((uintptr_t)slots))
    return;
  /* No descriptor is asked: the slots are plain to those who stored there. */
  struct acre_scan scan = {.is_looked_up = true};
  acre_scan_range(&scan, (uintptr_t)slots, size);
}

void acre_rescan(void *address, size_t size) { acre_rt_rescan(address, size); }

/* -- Memory that goes out of use --------------------------------------------------------------- */

void acre_rt_release(void *address, size_t size) {
  const uintptr_t low = (uintptr_t)address;
  if (acre_may_have_records() && size != 0 && !acre_range_is_clear(low, size))
    acre_record_release(low, low + size);
}

void acre_rt_release_between(void *low, void *high) {
  if ((uintptr_t)low < (uintptr_t)high)
    acre_rt_release(low, (size_t)((uintptr_t)high - (uintptr_t)low));
}
