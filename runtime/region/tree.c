/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h. */
#include "region/tree.h"

#include <acre/region.h>

#include <pthread.h>
#include <stdlib.h>

#include "counting/block.h"
#include "counting/describe.h"
#include "counting/pin.h"
#include "counting/record.h"
#include "counting/relation.h"
#include "evidence/snapshot.h"
#include "memory/order.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/allocate.h"
#include "region/delete.h"
#include "region/start.h"

/* -- Links ------------------------------------------------------------------------------------- */

static void add_child(struct acre_region_entry *parent, struct acre_region_entry *region) {
  region->parent = parent;
  region->previous_sibling = NULL;
  region->next_sibling = parent->first_child;
  if (parent->first_child)
    parent->first_child->previous_sibling = region;
  parent->first_child = region;
  parent->child_count++;
}

static void remove_child(struct acre_region_entry *region) {
  struct acre_region_entry *parent = region->parent;
  *(region->previous_sibling ? &region->previous_sibling->next_sibling : &parent->first_child) =
      region->next_sibling;
  if (region->next_sibling)
    region->next_sibling->previous_sibling = region->previous_sibling;
  parent->child_count--;
}

static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static bool lock_if_pool(const struct acre_region_entry *region) {
  return __builtin_expect(region->is_pool, 0) && acre_lock(&pools_lock);
}

void acre_tree_lock(void) { pthread_mutex_lock(&pools_lock); }
void acre_tree_unlock(void) {
  ACRE_ASSERT(acre_is_locked(&pools_lock));
  pthread_mutex_unlock(&pools_lock);
}

void acre_tree_link(struct acre_region_entry *region, struct acre_region_entry *parent) {
  if (!parent) {
    region->root = region;
    acre_order_start(&region->begin, &region->end);
    return;
  }
  ACRE_ASSERT(region->is_pool == parent->is_pool);
  const bool is_locked = lock_if_pool(region);
  region->root = parent->root;
  add_child(parent, region);
  acre_order_insert_after(&parent->begin, &region->begin);
  acre_order_insert_after(&region->begin, &region->end);
  acre_unlock(&pools_lock, is_locked);
}

void acre_tree_unlink(struct acre_region_entry *region) {
  const bool is_locked = lock_if_pool(region);
  ACRE_ASSERT(acre_registry_check_entry(region) && "relatives name each other");
  acre_order_remove(&region->begin);
  acre_order_remove(&region->end);
  if (region->parent)
    remove_child(region);
  acre_unlock(&pools_lock, is_locked);
}

/* -- Making ------------------------------------------------------------------------------------- */

/* Stores into a new region, and of pointers to it, will soon ask for its relation to what it lies
   in: no check has to find it out. */
static void note_ancestors(struct acre_region_entry *region) {
  enum { NEAREST = 4 };
  struct acre_region_entry *above = region->parent;
  for (int i = 0; above && i < NEAREST; i++, above = above->parent) {
    acre_relation_note(acre_ancestor_pair(region->index, above->index), region->index,
                       above->index);
    acre_relation_note(acre_unrelated_pair(above->index, region->index), above->index,
                       region->index);
  }
}

static struct acre_region_entry *acquire(const char *here) {
  acre_runtime_start();
  acre_thread_own();
  acre_snapshot_poll();
  for (;;) {
    struct acre_region_entry *region = acre_registry_acquire(here);
    if (region) {
      region->number = ++acre_rt_pins.regions;
      return region;
    }
    acre_out_of_memory(ACRE_CHUNK_SIZE * sizeof *region, NULL);
  }
}

struct acre_region_entry *acre_tree_make(struct acre_region_entry *parent, bool is_pool,
                                         const char *here) {
  struct acre_region_entry *region = acquire(here);
  region->is_pool = is_pool;
  acre_tree_link(region, parent);
  note_ancestors(region);
  return region;
}
/* -- Moves ------------------------------------------------------------------------------------- */

/* Moves the brackets of region and of all below it, which stand side by side, behind place.  Their
   order stays. */
static void move_brackets(struct acre_region_entry *region, struct acre_order_node *place) {
  struct acre_order_node *end = &region->end;
  for (struct acre_order_node *node = &region->begin, *next;; node = next) {
    next = node->next;
    acre_order_remove(node);
    acre_order_insert_after(place, node);
    place = node;
    if (node == end)
      return;
  }
}

/* A slot of a region that has moved is counted in no region that is above it now. */
static void count_anew(uintptr_t slot, uint32_t region, void *context) {
  (void)context;
  if (acre_is_ancestor(region, acre_page_owner((void *)slot)))
    acre_record_set(slot, 0);
}

static void count_block_anew(uintptr_t low, uintptr_t high, void *context) {
  acre_record_each_in(low, high, count_anew, context);
}

static void move(struct acre_region_entry *region, struct acre_region_entry *parent) {
  if (region->parent)
    remove_child(region);
  add_child(parent, region);
  move_brackets(region, &parent->begin);
  for (struct acre_region_entry *each = region; each;
       each = acre_registry_next_below(region, each)) {
    each->root = parent->root;
    acre_forget_relations(each->index);
  }
  for (struct acre_region_entry *each = region; each; each = acre_registry_next_below(region, each))
    acre_block_each(each, count_block_anew, NULL);
  ACRE_ASSERT(acre_registry_check_entry(parent) && acre_order_check(&parent->begin));
}

static struct acre_region_entry *expect_movable(acre_region handle, const char *here) {
  struct acre_region_entry *region =
      acre_registry_expect_own_at(handle, "acre_region_reparent", here, NULL);
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("acre_region_reparent: the permanent region has no place in a tree");
  return region;
}

/* Reports that region may not move below parent (null: nowhere), and ends the program if its policy
   says so. */
static bool refuse(const struct acre_region_entry *region, const struct acre_region_entry *parent,
                   const char *here) {
  if (acre_delete_policy_of(region) != ACRE_DELETE_ABORT)
    return false;
  acre_os_print(2, "acre: fatal: cannot move ");
  acre_print_region(2, region);
  acre_os_print(2, "%s", parent ? " below " : " out of ");
  acre_print_region(2, parent ? parent : region->parent);
  if (region->is_bound) {
    acre_os_print(2, ", because a block or a key ends it\n");
  } else if (parent && acre_is_ancestor(region->index, parent->index)) {
    acre_os_print(2, ", which is the region itself or below it\n");
  } else {
    acre_os_print(2, ": ");
    acre_print_region(2, region->parent);
    acre_os_print(2, " has to stay above it\n");
  }
  acre_os_print(2, "  acre_region_reparent called at %s\n", here ? here : "an unknown place");
  abort();
}

bool acre_region_reparent_at(acre_region handle, acre_region parent_handle, const char *here) {
  struct acre_region_entry *region = expect_movable(handle, here);
  struct acre_region_entry *parent = parent_handle ? expect_movable(parent_handle, here) : NULL;
  acre_pin_settle();
  if (parent == region->parent)
    return true;
  if (!parent || region->is_bound || acre_is_ancestor(region->index, parent->index) ||
      (region->parent && !acre_is_ancestor(region->parent->index, parent->index)))
    return refuse(region, parent, here);
  move(region, parent);
  return true;
}
