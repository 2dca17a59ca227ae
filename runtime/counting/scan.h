/* SPDX-License-Identifier: MIT */
/* scan.h - ranges that were overwritten: the records of their words are made to agree with them.
 * Internal to the runtime.
 *
 * Invariant: after a scan what store.h says of a plain slot holds of each aligned word of the
 * range, and what rule.h says holds of each annotated slot of an object whose descriptor is known;
 * it is looked up at the first word that matters.  A word in which a slot begins that is not
 * aligned keeps the record of that slot while it points out of its region.  A range may be skipped
 * only if it surely has no records (acre_is_filtered) and surely holds no pointer into the window
 * (pointer_bytes.h).
 */
#ifndef ACRE_RUNTIME_COUNTING_SCAN_H
#define ACRE_RUNTIME_COUNTING_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/record.h"
#include "counting/store.h"
#include "memory/pages.h"
#include "platform/sanitizer.h"

/* What is known of the bytes that are scanned.  In region memory the object's descriptor is looked
   up at the first external pointer. */
struct acre_scan {
  const acre_type *type; /* or null */
  uintptr_t base;        /* where type begins */
  size_t size;
  bool is_looked_up, is_uncounted;
  bool has_traditional; /* of what was looked up: some slots are traditional */
  const acre_rt_where *where;
};

void acre_scan_range(struct acre_scan *scan, uintptr_t address, size_t size);
/* The aligned word at slot, or the misaligned slot in it that has a record and still holds an
 * external pointer.  Needs slot to be aligned. */
void acre_scan_word(struct acre_scan *scan, uintptr_t slot);

/* May any object have a traditional slot?  acre_rt_expect_traditional says so. */
extern bool acre_scan_expects_traditional;

/* Reconciles or checks slot.  Needs value, in slot, to point into another region than slot's. */
void acre_scan_external(struct acre_scan *scan, uintptr_t slot, const void *value);
/* Checks a slot of an object whose descriptor may be unknown yet.  Needs value, in slot, to point
 * into slot's own region. */
void acre_scan_internal(struct acre_scan *scan, uintptr_t slot, const void *value);

/* Does value point into another region than slot's?  What is not counted may still break a rule. */
static inline bool acre_is_external(const void *slot, const void *value) {
  uint32_t target = acre_page_owner(value);
  return target && target != acre_page_owner(slot);
}

/* value, in slot, is not external.  Of all rules only that of a traditional slot may forbid it. */
static inline void acre_scan_check_internal(struct acre_scan *scan, uintptr_t slot,
                                            const void *value) {
  bool is_free = !acre_scan_expects_traditional ||
                 (!scan->has_traditional && slot - scan->base < scan->size); /* as most are */
  if (!is_free && !scan->is_looked_up && acre_page_owner(value))
    acre_scan_internal(scan, slot, value);
}

/* As acre_scan_word, for a word that has no record. */
static inline void acre_scan_fresh_word(struct acre_scan *scan, uintptr_t slot) {
  const void *value = acre_read_slot(slot);
  if (acre_is_external((void *)slot, value))
    acre_scan_external(scan, slot, value);
  else
    acre_scan_check_internal(scan, slot, value);
}

/* Does every pointer of the range point into the range's own region, and has no slot there a record
 * or a rule that may forbid such pointers?  False of ranges that are not in the window, are long,
 * or are no whole words of one record block. */
bool acre_scan_is_internal(uintptr_t address, size_t size);
/* acre_rt_rescan, of a range that may have records or hold a pointer.  Needs size > 0. */
void acre_rescan_slowly(uintptr_t address, size_t size);

/* Do the counts of lines, or the filter, say that the range has no records?  Never wrong about yes.
 */
static inline bool acre_is_filtered(uintptr_t address, size_t size) {
  if (acre_is_checked || size > (size_t)1 << ACRE_FILTER_SHIFT)
    return false;
  const uintptr_t last = address + size - 1;
  return (!acre_filter_has(address) && !acre_filter_has(last)) ||
         (size <= (size_t)1 << ACRE_LINE_SHIFT && !acre_line_has(address) && !acre_line_has(last));
}

/* Bytes that are worth looking at one by one. */
#define ACRE_RANGE_SMALL 512

/* Has a range that is not empty no records?  Most ranges are small objects in one record block
   without any.  False says nothing. */
static inline bool acre_range_is_clear(uintptr_t low, size_t size) {
  const bool is_in_block = (low ^ (low + size - 1)) < ACRE_RECORD_BLOCK_SIZE;
  return is_in_block && (size <= ACRE_RANGE_SMALL ? acre_record_is_clear(low, low + size)
                                                  : !acre_record_maybe(low));
}

#endif
