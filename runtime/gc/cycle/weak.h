/* SPDX-License-Identifier: MIT */
/* weak.h - weak references and finalizable objects.  Internal. */
#ifndef ACRE_RUNTIME_GC_CYCLE_WEAK_H
#define ACRE_RUNTIME_GC_CYCLE_WEAK_H

#include "gc/heap/heap.h"

/* An increment of the weak and final phases, which they need; true when the table is done. */
bool acre_gc_weak_some(heap *h, budget *b);
bool acre_gc_final_some(heap *h, budget *b);

#endif
