/* SPDX-License-Identifier: MIT */
/* region.c - the making of regions, the forest, and questions about regions. */
#include <acre/region.h>
#include <acre/scope.h>

#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "foreign/stale.h"
#include "memory/order.h"
#include "memory/pages.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/allocate.h"
#include "region/destroy.h"
#include "region/start.h"
#include "region/tree.h"

/* -- Creation ---------------------------------------------------------------------------------- */

acre_region acre_region_traditional(void) {
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(ACRE_INDEX_TRADITIONAL));
}

acre_region acre_region_permanent(void) {
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(ACRE_INDEX_PERMANENT));
}

acre_region acre_region_new(const char *here) {
  return acre_handle_of(acre_tree_make(NULL, false, here));
}

acre_region acre_region_new_sub(acre_region parent_handle, const char *here) {
  struct acre_region_entry *parent =
      acre_registry_expect_own_at(parent_handle, "newsubregion", here, NULL);
  if (parent->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("newsubregion: the permanent region has no subregions: a new region is as good");
  return acre_handle_of(acre_tree_make(parent, false, here));
}

void *acre_region_root(acre_region handle) {
  static const acre_slot slot = {0, 1, sizeof(void *), ACRE_SLOT_PLAIN, "root"};
  static const acre_type type = {
      "acre_root", sizeof(void *), _Alignof(void *), 1, 1, 0, &slot, NULL, NULL};
  static const acre_site site = {&type, __FILE__, "acre_region_root", __LINE__};
  struct acre_region_entry *region = acre_registry_expect_own(handle, "acre_root");
  if (!region->anchor)
    region->anchor = acre_region_alloc(handle, sizeof(void *), _Alignof(void *), &site);
  return region->anchor;
}

/* -- Questions ------------------------------------------------------------------------------- */

acre_region acre_region_of(const void *p) {
  if (!p)
    return NULL;
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(acre_page_owner(p)));
}

acre_region acre_region_parent(acre_region handle) {
  struct acre_region_entry *parent = acre_registry_expect(handle, "acre_region_parent")->parent;
  return parent ? acre_handle_of(parent) : NULL;
}

bool acre_region_is_ancestor(acre_region ancestor, acre_region handle) {
  const struct acre_region_entry *above = acre_registry_expect(ancestor, "acre_region_is_ancestor");
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_is_ancestor");
  return above->root == region->root &&
         acre_order_encloses(&above->begin, &above->end, &region->begin);
}

bool acre_region_is_live(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_find(handle);
  return region && region->state == ACRE_STATE_LIVE;
}

const char *acre_region_name(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_name");
  return region->name ? region->name : region->created_here;
}

size_t acre_region_count(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_count");
  acre_settle_lazy(acre_frame_end());
  acre_pin_settle();
  return (size_t)__atomic_load_n(&region->count, __ATOMIC_ACQUIRE);
}

void acre_region_get_stats(acre_region handle, acre_region_stats *stats) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_get_stats");
  acre_settle_lazy(acre_frame_end());
  acre_pin_settle();
  *stats = (acre_region_stats){acre_region_objects(region), acre_region_bytes(region),
                               region->pages << ACRE_WINDOW_PAGE_SHIFT, (size_t)region->count,
                               region->child_count};
}

void acre_get_stats(acre_stats *stats) {
  acre_runtime_start();
  *stats = (acre_stats){
      .regions_created = acre_registry_created_count(),
      .regions_live = acre_registry_live_count(),
      .objects = (size_t)__atomic_load_n(&acre_dead_totals.objects, __ATOMIC_RELAXED),
      .bytes_requested =
          (size_t)__atomic_load_n(&acre_dead_totals.bytes_requested, __ATOMIC_RELAXED),
      .bytes_reserved = acre_pages_in_use(),
      .bytes_peak = acre_pages_peak(),
      .stores_counted = (size_t)__atomic_load_n(&acre_counters.stores_counted, __ATOMIC_RELAXED),
      .stores_checked = (size_t)__atomic_load_n(&acre_counters.stores_checked, __ATOMIC_RELAXED),
      .records_healed = (size_t)__atomic_load_n(&acre_counters.records_healed, __ATOMIC_RELAXED),
  };
  for (uint32_t i = 0; i < acre_registry_limit(); i++) {
    const struct acre_region_entry *region = acre_registry_at(i);
    stats->objects += acre_region_objects(region);
    stats->bytes_requested += acre_region_bytes(region);
  }
}
