/* SPDX-License-Identifier: MIT */
/* store.h - one slot: its record is made to agree with what it holds.  Internal to the runtime.
 *
 * Invariant, after a barrier: a plain slot has a record exactly if it points into another region
 * than its own and those above that, and the record names that region; a slot that obeys another
 * rule has no record.  Between a store and its barrier it does not hold.  Stores to atomic slots by
 * several threads agree on the last value: each thread that set the record reads the slot again
 * afterwards and repeats if it has changed.  acre_verify checks it (evidence/verify.c).
 */
#ifndef ACRE_RUNTIME_COUNTING_STORE_H
#define ACRE_RUNTIME_COUNTING_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "platform/sanitizer.h"

/* Are stores counted?  Another thread may delete the last region or make the first one now. */
static inline bool acre_is_counting(void) {
  return __atomic_load_n(&acre_rt_active, __ATOMIC_RELAXED);
}
/* May memory that is given back have records? */
static inline bool acre_may_have_records(void) {
  return acre_is_counting() || __atomic_load_n(&acre_registry_expects_records, __ATOMIC_RELAXED);
}

/* Any bytes may be asked whether they are a pointer, also uninitialised ones: to memcheck the
 * answer is defined. */
ACRE_RAW_READ static inline void *acre_read_slot(uintptr_t slot) {
  typedef void *unaligned __attribute__((aligned(1), may_alias));
  return (void *)acre_defined((uintptr_t)*(const unaligned *)slot);
}

/* Makes the record of slot, which is plain and counted, agree with value. */
static inline void acre_store_reconcile(uintptr_t slot, const void *value) {
  uint32_t region = acre_counted_target((const void *)slot, value);
  if (region || acre_line_has_eager(slot))
    acre_record_store(slot, region);
}

/* The slot is not counted.  A record may be left from other data in the same memory. */
static inline void acre_store_clear(uintptr_t slot) {
  if (acre_line_has(slot))
    acre_record_set(slot, 0);
}

#endif
