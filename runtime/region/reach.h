/* SPDX-License-Identifier: MIT */
/* reach.h - which condemned regions frames still lead to.  Internal to the runtime.
 *
 * From the words of all frames (frames.h), and from members that something refers to which is not
 * to be changed, through the objects of members and zombies: a region that is reached may be used
 * yet.  A word that looks like a pointer counts as one, so the answer errs on the side of reached.
 */
#ifndef ACRE_RUNTIME_REGION_REACH_H
#define ACRE_RUNTIME_REGION_REACH_H

#include <stdbool.h>
#include <stdint.h>

struct acre_condemned;
struct acre_target;

/* Sets condemned.stays of each member that is reached.  Returns whether any is.  Stops the world
   meanwhile; O(bytes of live stacks + bytes of the members and zombies that are reached). */
bool acre_reach_members(struct acre_condemned *set);
/* Calls note with each word of frames, and of zombies that these lead to, that leads into region.
 * False if frames are missing.  Needs the world stopped. */
typedef void acre_reach_note(const void *value, void *context);
bool acre_reach_words(uint32_t region, acre_reach_note *note, void *context);
/* Does any frame, or zombie that one leads to, refer to target?  Needs that to be an object. */
bool acre_reach_object(const struct acre_target *target);

#endif
