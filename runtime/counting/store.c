/* SPDX-License-Identifier: MIT */
/* store.c - see store.h; the barriers of stores to single slots (docs/design/counting.md). */
#include "counting/store.h"

#include "platform/thread.h"

__attribute__((noinline)) static void reconcile_slowly(uintptr_t slot, const void *value) {
  acre_store_reconcile(slot, value);
}

/* As acre_store_reconcile; what is remembered of regions is looked at in line, so that the common
   paths make one call, their last act. */
void acre_rt_store(void *slot, void *value) {
  uint32_t target = acre_page_owner(value), holder = acre_page_owner(slot);
  if (!holder && acre_thread_is_uncounted((uintptr_t)slot))
    return;
  if (target <= ACRE_INDEX_PERMANENT || target == holder || acre_is_known_below(holder, target)) {
    if (acre_line_has_eager((uintptr_t)slot))
      acre_record_store((uintptr_t)slot, 0);
  } else if (__builtin_expect(acre_is_known_unrelated(holder, target), 1)) {
    acre_record_store((uintptr_t)slot, target);
  } else {
    reconcile_slowly((uintptr_t)slot, value);
  }
}

void acre_rt_store_global(void *slot, void *value, const uint32_t **place) {
  acre_rt_store(slot, value);
  const uint32_t *found = acre_record_place((uintptr_t)slot);
  if (found)
    __atomic_store_n(place, found, __ATOMIC_RELAXED);
}

void acre_rt_drop_record(void *slot, void *value) {
  (void)value;
  acre_record_store((uintptr_t)slot, 0);
}

void acre_rt_reread(void *slot) {
  if (acre_thread_is_uncounted((uintptr_t)slot))
    return;
  /* Atomic and volatile slots are aligned, except volatile members of packed structs, which nothing
   * can read at once. */
  bool is_aligned = (uintptr_t)slot % ACRE_SLOT_SIZE == 0;
  void *value = is_aligned ? __atomic_load_n((void **)slot, __ATOMIC_SEQ_CST)
                           : acre_read_slot((uintptr_t)slot);
  for (void *before = NULL;; before = value) {
    acre_store_reconcile((uintptr_t)slot, value);
    if (!is_aligned)
      return;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    before = value;
    value = __atomic_load_n((void **)slot, __ATOMIC_SEQ_CST);
    if (value == before)
      return;
  }
}
