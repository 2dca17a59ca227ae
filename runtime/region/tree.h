/* SPDX-License-Identifier: MIT */
/* tree.h - the forest of regions: how a region gets its place in it, leaves it, and moves.
 * Internal to the runtime.
 *
 * Invariant: a region and its parent name each other, and the brackets of the parent in the list of
 * the tree (memory/order.h) enclose those of the region.  Once one region is above another it stays
 * so for as long as both live: the compiler removes checks because of it, and knows of no place
 * where that could end.
 *
 * The regions of pools (pool.h) are in trees of their own, of which each region may be another
 * thread's: one thread at a time gives them a place or takes it.
 */
#ifndef ACRE_RUNTIME_REGION_TREE_H
#define ACRE_RUNTIME_REGION_TREE_H

#include "counting/registry.h"

/* A new region of the calling thread, below parent, or a root if that is null. */
struct acre_region_entry *acre_tree_make(struct acre_region_entry *parent, bool is_pool,
                                         const char *here);
/* Gives a new region its place: below parent, or of its own if that is null. */
void acre_tree_link(struct acre_region_entry *region, struct acre_region_entry *parent);
/* Needs a region without children. */
void acre_tree_unlink(struct acre_region_entry *region);
/* For fork handlers. */
void acre_tree_lock(void);
/* Needs the lock. */
void acre_tree_unlock(void);

#endif
