/* SPDX-License-Identifier: MIT */
/* fault_spans.c - see fault_spans.h. */
#include "platform/fault_spans.h"

#include "platform/os.h"

#define LEAST 64 /* spans that are worth it */
#define FEWER 16 /* so many times, where the system does not grant as many */

bool acre_fault_spans_reserve(struct acre_fault_spans *spans, size_t most, size_t entry_bytes,
                              acre_fault_teller *teller) {
  for (size_t count = most; count >= LEAST && !spans->entries; count /= FEWER) {
    void *range = acre_os_reserve(count << ACRE_SPAN_SHIFT, ACRE_SPAN);
    void *entries = range ? acre_os_table(count * entry_bytes) : NULL;
    if (range && !entries)
      acre_os_unreserve(range, count << ACRE_SPAN_SHIFT);
    if (!entries)
      continue;
    spans->base = (uintptr_t)range;
    spans->count = count;
    spans->entries = entries;
    acre_fault_tell(teller);
  }
  return spans->entries;
}
