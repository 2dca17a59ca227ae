/* SPDX-License-Identifier: MIT */
/* event.h - telling the program's trace function, and the trace of ACRE_TRACE, what happens.
 * Internal. */
#ifndef ACRE_RUNTIME_GC_TRACE_EVENT_H
#define ACRE_RUNTIME_GC_TRACE_EVENT_H

#include "gc/heap/heap.h"

uint64_t acre_gc_event_nanoseconds(void);
void acre_gc_event_send_slowly(heap *h, const acre_heap_event *event);

static inline void event_send(heap *h, acre_heap_event_kind kind, uint64_t amount) {
  if (h->account.is_traced)
    acre_gc_event_send_slowly(h, &(acre_heap_event){.kind = kind, .amount = amount});
}

/* What takes less than this is no event, where it is no step of a collection. */
#define EVENT_NANOSECONDS_MIN 2000

/* When something that may take long begins; 0 if nobody wants to know. */
static inline uint64_t event_begin(const heap *h) {
  return h->account.is_traced ? acre_gc_event_nanoseconds() : 0;
}
void acre_gc_event_end_slowly(heap *h, acre_heap_event_kind kind, uint64_t begin, uint64_t amount);
/* It has ended. */
static inline void event_end(heap *h, acre_heap_event_kind kind, uint64_t begin, uint64_t amount) {
  if (begin)
    acre_gc_event_end_slowly(h, kind, begin, amount);
}

#endif
