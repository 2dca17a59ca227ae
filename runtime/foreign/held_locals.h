/* SPDX-License-Identifier: MIT */
/* held_locals.h - who has the address of a local variable.  Internal to the runtime.
 *
 * A local that nobody uses any more by its name is pinned all the same if somebody may have kept
 * its address (acre_rt_pin_entry.is_kept).  It is looked for before such a local refuses a delete:
 * in all memory of the process but the calling thread's stack and the condemned regions, in what
 * the pins say to be live of the stack, and in other such locals whose address was found.  No other
 * frame of the stack has it: all of them wait in calls that may delete, so they have pinned what
 * they need.
 *
 * An address is a word at an aligned place that points into the variable or just past it.  A word
 * that is stale counts.
 *
 * Other threads are not stopped: a signal would end their system calls.  So their memory is copied,
 * since they may unmap it, and looked at twice, since they may move an address.  What only their
 * registers hold is not seen, as of pointers into regions.
 */
#ifndef ACRE_RUNTIME_FOREIGN_HELD_LOCALS_H
#define ACRE_RUNTIME_FOREIGN_HELD_LOCALS_H

#include <stdbool.h>
#include <stdint.h>

/* Drops the records of locals of the calling thread whose address nobody has, if any of them refers
   to a condemned region.  Returns whether there was one.  Needs the pins of the calling thread to
   be settled. */
bool acre_held_locals_drop_unreached(void);

/* The address of the word by which the last such search has reached the local that slot lies in; 0
   if it was not reached so.  It may hold something else by now. */
uintptr_t acre_held_locals_reached_by(uintptr_t slot);

/* Makes the records of all such locals anew, where the delete is refused all the same: what is in
   the regions that were condemned may have had their addresses. */
void acre_held_locals_count_again(void);

#endif
