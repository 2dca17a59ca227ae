/* SPDX-License-Identifier: MIT */
/* frames.h - the memory in which frames are: what no record or pin tells of.  Internal to the
 * runtime.
 *
 * With -facre-frames=conservative no function pins what it holds, and where a slot was severed the
 * optimizer may have its old value in a register, which it did not pin because memory had it.  So
 * the stacks of all threads are searched, from their stack pointers up, with the registers that
 * are saved there, as the collector searches them (gc/linux/root_memory.h).
 */
#ifndef ACRE_RUNTIME_REGION_FRAMES_H
#define ACRE_RUNTIME_REGION_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does each delete search frames?  acre_rt_search_frames says so. */
extern bool acre_frames_search_wanted;
static inline bool acre_frames_are_searched(void) {
  return __atomic_load_n(&acre_frames_search_wanted, __ATOMIC_RELAXED);
}

typedef void acre_frames_visit(uintptr_t start, uintptr_t end, void *context);
/* Calls visit with ranges that hold every word of a frame of any thread, and what its registers
   hold; of the calling thread, from its caller's frame up.  False if the system does not say where
   the stacks of other threads end: then some are missing.  Needs the world stopped. */
bool acre_frames_each(acre_frames_visit *visit, void *context);

#endif
