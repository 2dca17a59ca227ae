/* SPDX-License-Identifier: MIT */
/* fault_spans.h - addresses whose use faults, and is told.  Internal to the runtime.
 *
 * A range without access is divided into spans of 64 KiB, each with an entry of a table that says
 * what an address in it stands for.  What that was begins at a quarter of its span, so members, and
 * small indices below 0, fault in the same span.  Comparing and copying such an address, or storing
 * over it, is nothing special.
 */
#ifndef ACRE_RUNTIME_PLATFORM_FAULT_SPANS_H
#define ACRE_RUNTIME_PLATFORM_FAULT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/fault.h"

#define ACRE_SPAN_SHIFT 16
#define ACRE_SPAN ((uintptr_t)1 << ACRE_SPAN_SHIFT)
#define ACRE_SPAN_START (ACRE_SPAN / 4)

struct acre_fault_spans {
  uintptr_t base;
  size_t count;
  void *entries; /* zero at first; null: nothing is reserved. Set last */
};

/* Reserves as many of `most` spans as the system grants, with entries of entry_bytes, and has
   teller told of faults. Once for each; false if not even 64 are to be had. */
bool acre_fault_spans_reserve(struct acre_fault_spans *spans, size_t most, size_t entry_bytes,
                              acre_fault_teller *teller);

/* Which span address lies in; false: in none. */
static inline bool acre_fault_span_of(const struct acre_fault_spans *spans, uintptr_t address,
                                      size_t *span) {
  *span = (address - spans->base) >> ACRE_SPAN_SHIFT;
  return address - spans->base < spans->count << ACRE_SPAN_SHIFT;
}

/* What an address in a span tells of this offset: all, or the low bits, which may say something. */
static inline size_t acre_fault_span_offset(size_t offset) {
  return offset < ACRE_SPAN / 2 ? offset : offset % sizeof(void *);
}

static inline void *acre_fault_address(const struct acre_fault_spans *spans, size_t span,
                                       size_t offset) {
  return (void *)(spans->base + (span << ACRE_SPAN_SHIFT) + ACRE_SPAN_START +
                  acre_fault_span_offset(offset));
}

#endif
