/* SPDX-License-Identifier: MIT */
/* given_back.h - objects that a program gives back to their pool, which lives on.  Internal to the
 * runtime.
 *
 * To ask at once whether something refers to an object costs as much as its region is large.  So it
 * is marked, and stays as it is; when what is marked amounts to as much as is to be searched, all
 * of it is asked about together.  What nothing refers to, but other objects of that kind, is used
 * for later objects of a like size.  The rest waits for the next search.
 */
#ifndef ACRE_RUNTIME_REGION_GIVEN_BACK_H
#define ACRE_RUNTIME_REGION_GIVEN_BACK_H

#include "counting/object.h"
#include "counting/registry.h"

/* Takes an object of region back, which the program is not to use any more.  Nothing to do if it
 * was given back before.  Needs an object of region.  O(1), or, each time that as much was given
 * back, O(bytes of the region and those below, stacks, and records of the region). */
void acre_give_back(struct acre_region_entry *region, const struct acre_object *object);
/* Zeroed memory of an object that was given back, for one of size bytes; null if there is none that
 * fits well. */
void *acre_use_again(struct acre_allocator *allocator, size_t size, size_t align,
                     const acre_site *site);

#endif
