/* SPDX-License-Identifier: MIT */
/* order.c - see order.h.  Relabellings are counted when they begin and when they are done, so that
   a comparison by another thread that overlaps one is repeated. */
#include "memory/order.h"

#include <stddef.h>

#include "platform/atomic.h"
#include "platform/check.h"

/* Labels have 62 bits: sums of two do not overflow. */
#define LABEL_BITS 62

/* A range of 2^i labels may be filled to THRESHOLD^-i of itself.  Between 1 (relabel rarely, far)
 * and 2 (often, near). */
#define THRESHOLD 1.4

static uint64_t relabels_begun, relabels_done;

static uint64_t label_of(const struct acre_order_node *node) {
  return __atomic_load_n(&node->label, __ATOMIC_RELAXED);
}
static void set_label(struct acre_order_node *node, uint64_t label) {
  __atomic_store_n(&node->label, label, __ATOMIC_RELAXED);
}

void acre_order_start(struct acre_order_node *first, struct acre_order_node *last) {
  *first = (struct acre_order_node){.next = last, .label = 0};
  *last = (struct acre_order_node){.previous = first, .label = (uint64_t)1 << LABEL_BITS};
}

/* Spreads count nodes from first on evenly over the size labels from base on. */
static void spread(struct acre_order_node *first, uint64_t count, uint64_t base, uint64_t size) {
  uint64_t step = size / count;
  __atomic_fetch_add(&relabels_begun, 1, __ATOMIC_SEQ_CST);
  for (uint64_t i = 0; i < count; i++, first = first->next)
    set_label(first, base + i * step);
  __atomic_fetch_add(&relabels_done, 1, __ATOMIC_SEQ_CST);
}

/* Makes room after place. */
static void relabel(struct acre_order_node *place) {
  struct acre_order_node *first = place, *last = place;
  uint64_t count = 1;
  double capacity = 1;
  for (int bits = 1; bits <= LABEL_BITS; bits++) {
    uint64_t size = (uint64_t)1 << bits, base = place->label & ~(size - 1);
    for (; first->previous && first->previous->label >= base; count++)
      first = first->previous;
    for (; last->next && last->next->label < base + size; count++)
      last = last->next;
    capacity *= 2 / THRESHOLD;
    /* At least two labels for each node, so that the gap after place is usable. */
    if ((double)count <= capacity && size / count >= 2) {
      spread(first, count, base, size);
      return;
    }
  }
  /* 2^62 labels at the last density hold more nodes than there can be regions. */
  __builtin_unreachable();
}

void acre_order_insert_after(struct acre_order_node *place, struct acre_order_node *node) {
  ACRE_ASSERT(place->next && place->label < place->next->label);
  struct acre_order_node *next = place->next;
  if (next->label - place->label < 2)
    relabel(place);
  set_label(node, place->label + (next->label - place->label) / 2);
  node->previous = place;
  node->next = next;
  place->next = next->previous = node;
  ACRE_ASSERT(place->label < node->label && node->label < next->label);
}

void acre_order_remove(struct acre_order_node *node) {
  ACRE_ASSERT(!node->previous || node->previous->next == node);
  ACRE_ASSERT(!node->next || node->next->previous == node);
  if (node->previous)
    node->previous->next = node->next;
  if (node->next)
    node->next->previous = node->previous;
}

bool acre_order_encloses(const struct acre_order_node *outer_begin,
                         const struct acre_order_node *outer_end,
                         const struct acre_order_node *begin) {
  for (;;) {
    uint64_t done = __atomic_load_n(&relabels_done, __ATOMIC_ACQUIRE);
    uint64_t at = label_of(begin);
    bool is_inside = label_of(outer_begin) <= at && at < label_of(outer_end);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (acre_is_single_threaded() || done == __atomic_load_n(&relabels_begun, __ATOMIC_RELAXED))
      return is_inside;
  }
}

bool acre_order_check(const struct acre_order_node *node) {
  while (node->previous)
    node = node->previous;
  for (; node->next; node = node->next)
    if (node->next->previous != node || node->next->label <= node->label)
      return false;
  return true;
}
