/* SPDX-License-Identifier: MIT */
/* pins.h - objects that are kept until they are freed.  Internal. */
#ifndef ACRE_RUNTIME_GC_PROCESS_PINS_H
#define ACRE_RUNTIME_GC_PROCESS_PINS_H

#include <stdbool.h>
#include <stddef.h>

/* How many acre_rt_gc_keep keeps.  Written under the lock of the heap; who frees an object that is
 * kept sees that it is not 0. */
extern size_t acre_gc_kept_until_freed;
/* p is freed: acre_rt_gc_keep does not keep it any more.  Takes the lock. */
void acre_gc_keep_no_more(const void *p);

static inline bool acre_gc_keeps_some(void) {
  return __builtin_expect(__atomic_load_n(&acre_gc_kept_until_freed, __ATOMIC_RELAXED) != 0, 0);
}

#endif
