/* SPDX-License-Identifier: MIT */
/* order.h - an order-maintenance list: which of two nodes comes first, in constant time.  Internal
 * to the runtime.
 *
 * Invariant: along the list the labels are strictly increasing.  Each region has a begin and an end
 * node in the list of its tree, placed like brackets, so that one region is an ancestor of another
 * exactly if its brackets enclose the other's.  Inserting a node takes the middle of the gap; when
 * there is none, the smallest enclosing range of labels that is sparse enough is relabelled evenly
 * (Bender, Cole, Demaine, Farach-Colton, Zito, "Two Simplified Algorithms for Maintaining Order in
 * a List"): O(log n) labels per insertion, amortised.
 *
 * Only the thread that owns the tree inserts and removes.  Any thread may compare.
 */
#ifndef ACRE_RUNTIME_MEMORY_ORDER_H
#define ACRE_RUNTIME_MEMORY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct acre_order_node {
  struct acre_order_node *previous, *next;
  uint64_t label;
};

/* A new list of two nodes. */
void acre_order_start(struct acre_order_node *first, struct acre_order_node *last);
/* node becomes the one after place.  Needs place not to be the last of its list. */
void acre_order_insert_after(struct acre_order_node *place, struct acre_order_node *node);
/* Needs node to be in a list. */
void acre_order_remove(struct acre_order_node *node);
/* Does begin stand from outer_begin (inclusive) to outer_end?  All three are in one list. */
bool acre_order_encloses(const struct acre_order_node *outer_begin,
                         const struct acre_order_node *outer_end,
                         const struct acre_order_node *begin);
/* Walks the whole list that node is in. */
bool acre_order_check(const struct acre_order_node *node);

#endif
