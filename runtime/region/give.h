/* SPDX-License-Identifier: MIT */
/* give.h - trees of regions pass from thread to thread.  Internal to the runtime.
 *
 * Invariant: the regions of a tree have one owner, but for those whose delete is deferred, and
 * those of pools, of which each belongs to the thread that used its pool last (pool.c).  A tree
 * that is closed belongs to no thread (ACRE_OWNER_CLOSED) until one opens it: by the key of the
 * arena that it is (scope.h), or by taking what was given away.  A tree that was given away has no
 * reference from outside, and none to outside but into memory that belongs to no thread.
 *
 * The owner of the root is stored last when a tree is closed, and exchanged first when one is
 * taken: so of several takers one gets it, and sees all that was done there before.
 */
#ifndef ACRE_RUNTIME_REGION_GIVE_H
#define ACRE_RUNTIME_REGION_GIVE_H

#include <acre/region.h>

struct acre_region_entry;

/* Aborts if anything outside refers to region or those below it; otherwise the tree is closed.
 * Needs region to be the calling thread's, and a root. */
void acre_region_close(struct acre_region_entry *region, const char *here, void *frame);
/* The same without a look. */
void acre_region_close_unchecked(struct acre_region_entry *region);
/* The tree of region belongs to the calling thread.  Needs region to be closed. */
void acre_region_open(struct acre_region_entry *region);
/* The calling thread owns region, alone.  Needs it to be that of a pool, and no other thread to be
 * using it. */
void acre_region_adopt(struct acre_region_entry *region);

#endif
