/* SPDX-License-Identifier: MIT */
/* zombie.h - regions that are deleted and still known to frames.  Internal to the runtime.
 *
 * A zombie is a region that the program has deleted, and to which only frames refer, or what is not
 * to be changed (a pointer that the C library keeps, an integer, a pin).  Its handle is dead, and
 * it has no relatives; its objects stay as they are, so that who holds a pointer reads what was
 * there.  It goes in a later call that may delete, when nothing leads to it (reach.h).
 *
 * Invariant: a zombie is deferred, a root without children, and in its thread's list of deferred
 * regions.  When it became one its slots lost their records, so that it keeps no other region
 * alive; those that it gets later, by a frame that stores into it, are in no region's way.
 */
#ifndef ACRE_RUNTIME_REGION_ZOMBIE_H
#define ACRE_RUNTIME_REGION_ZOMBIE_H

#include <stdbool.h>
#include <stddef.h>

struct acre_condemned;
struct acre_region_entry;

/* Members that stay become zombies.  The region that is cleared gives its contents to a new one
   instead.  What is left of the set may go.  False, with nothing changed, if there is no memory for
   the new one.  Needs a set of which some member stays. */
bool acre_zombie_make(struct acre_condemned *set);
/* Its members are deferred, and in the list of the calling thread. */
void acre_zombie_list(struct acre_condemned *set);
/* A deferred region, of a thread that has ended, is in the list of the calling thread.  Needs it to
   be owned by that already. */
void acre_zombie_adopt(struct acre_region_entry *region);
/* Takes region, if it is deferred, out of the list of the calling thread.  Needs it to be the
   calling thread's. */
void acre_zombie_unlist(struct acre_region_entry *region);

#endif
