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

#endif
