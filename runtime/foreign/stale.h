/* SPDX-License-Identifier: MIT */
/* stale.h - dropping records that no longer tell the truth.  Internal to the runtime.
 *
 * A record is stale if its memory is unmapped or no longer holds an external pointer into the
 * region it names: code that Acre did not compile has overwritten it, its stack frame is gone, it
 * is in a collected object that is dead, or who kept it for the program no longer does. Staleness
 * only ever delays a delete.
 */
#ifndef ACRE_RUNTIME_FOREIGN_STALE_H
#define ACRE_RUNTIME_FOREIGN_STALE_H

#include <stdbool.h>
#include <stdint.h>

#include "counting/registry.h"

/* Reads the pointer at slot; false if its memory is unmapped. */
bool acre_slot_read(uintptr_t slot, void **value);
/* true: until it is called again nothing is unmapped but by other threads, if there are any, so
 * pages that could be read once are not asked about again. */
void acre_slots_stay(bool do_they);

/* Makes the record of slot true, which the runtime has changed, and another thread perhaps since.
   Needs a slot that is in no frame. */
void acre_slot_recount(uintptr_t slot);
/* Heals the record of slot, which names region, and returns what it names then.  frame: its
 * thread's stack below it is dead, if where that lies is known (acre_thread_find_stack). */
uint32_t acre_heal_slot(uintptr_t slot, uint32_t region, uintptr_t frame);
/* Makes lazy records (counting/lazy.h) ordinary ones that tell the truth, and says whether there
 * were any.  O(how many there are).  frame: as above. */
bool acre_settle_lazy(uintptr_t frame);
/* Heals all records of memory whose type is not known; reports the others that are wrong.  Returns
 * whether none was. */
bool acre_heal_all(uintptr_t frame);

#endif
