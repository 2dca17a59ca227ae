/* SPDX-License-Identifier: MIT */
/* tree.h - the forest of regions: how a region gets its place in it, leaves it, and moves.
 * Internal to the runtime.
 *
 * Invariant: a region and its parent name each other, and the brackets of the parent in the list of
 * the tree (memory/order.h) enclose those of the region.  Once one region is above another it stays
 * so for as long as both live: the compiler removes checks because of it, and knows of no place
 * where that could end.
 */
#ifndef ACRE_RUNTIME_REGION_TREE_H
#define ACRE_RUNTIME_REGION_TREE_H

#include "counting/registry.h"

/* Gives a new region its place: below parent, or of its own if that is null. */
void acre_tree_link(struct acre_region_entry *region, struct acre_region_entry *parent);
/* Needs a region without children. */
void acre_tree_unlink(struct acre_region_entry *region);

#endif
