/* SPDX-License-Identifier: MIT */
/* trace.h - ACRE_TRACE: what every heap of the process does, written to a file as it happens.
 * Internal. */
#ifndef ACRE_RUNTIME_GC_TRACE_TRACE_H
#define ACRE_RUNTIME_GC_TRACE_TRACE_H

#include "gc/heap/heap.h"

/* A new heap: from now on it is traced, if the environment asks for that. */
void acre_gc_trace_heap(heap *h);
/* To the trace.  Needs a heap that has a trace_number. */
void acre_gc_trace_event(const heap *h, const acre_heap_event *event);
/* What the heap's memory holds now; sets next_sample. */
void acre_gc_trace_sample(heap *h);

#endif
