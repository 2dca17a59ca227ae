/* SPDX-License-Identifier: MIT */
/* destroy.c - see destroy.h. */
#include "region/destroy.h"

#include <string.h>

#include "counting/object.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "memory/descriptor.h"
#include "owner/drop.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "region/condemned.h"
#include "region/tree.h"

struct acre_dead_totals acre_dead_totals;

/* A name that is not longer outlives a clear. */
#define NAME_BYTES ((size_t)256)

static void release_block(uintptr_t low, uintptr_t high, void *context) {
  (void)context;
  acre_record_release(low, high);
}

static void drop_object(const struct acre_object *object, void *context) {
  (void)context;
  const acre_owned_type *owned = acre_site_owned(object->site);
  if (!owned)
    return;
  const acre_type *type = object->site->type;
  acre_drop_owned(object->start, type->flexible_stride ? 1 : object->size / type->size, owned);
}

/* Region, which has no name any more, gets the name that it had; none if there is no memory. */
static void name_again(struct acre_region_entry *region, const char *name) {
  const size_t size = strlen(name) + 1;
  char *copy = acre_object_alloc(region, &region->pointer_free, size, 1, NULL);
  region->name = copy ? memcpy(copy, name, size) : NULL;
}

/* All objects of region are gone.  Needs it to be free of records. */
static void empty(struct acre_region_entry *region) {
  acre_add64(&acre_dead_totals.objects, (int64_t)acre_region_objects(region));
  acre_add64(&acre_dead_totals.bytes_requested, (int64_t)acre_region_bytes(region));
  acre_object_free_all(region);
}

static void clear(struct acre_region_entry *region) {
  char name[NAME_BYTES] = "";
  const bool has_name = region->name != NULL;
  if (has_name)
    strncat(name, region->name, NAME_BYTES - 1);
  empty(region);
  region->anchor = NULL;
  region->is_owning = false;
  if (has_name)
    name_again(region, name);
  region->is_referring = false;
  region->areas = 0;
  region->given_back = region->given_back_limit = 0;
  acre_condemned_forget(region);
}

/* Other threads, which may search frames now, are not to follow what is going. */
static void forget_zombie(struct acre_region_entry *region) {
  if (region->is_zombie)
    acre_registry_count_zombies(-1);
  __atomic_store_n(&region->is_zombie, false, __ATOMIC_RELEASE);
}

static void end(struct acre_region_entry *region, const char *here) {
  acre_registry_drop_current(acre_handle_of(region));
  empty(region);
  acre_forget_relations(region->index);
  acre_registry_release(region, here);
}

void acre_destroy(struct acre_condemned *set, const char *here) {
  ACRE_ASSERT(acre_condemned_check(set));
  const struct acre_region_entry *kept = acre_condemned_kept(set);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    forget_zombie(region);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region->is_owning)
      acre_object_each(region, drop_object, NULL);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    acre_block_each(region, release_block, NULL);
  for (struct acre_region_entry *region = set->first; region; region = region->condemned.next)
    if (region != kept)
      acre_tree_unlink(region);
  for (struct acre_region_entry *region = set->first, *next; region; region = next) {
    next = region->condemned.next;
    if (region == kept)
      clear(region);
    else
      end(region, here);
  }
  *set = (struct acre_condemned){0};
}

void acre_destroy_object(struct acre_region_entry *region, const struct acre_object *object) {
  ACRE_ASSERT(acre_page_owner(object->start) == region->index);
  drop_object(object, NULL);
  acre_record_release((uintptr_t)object->start, (uintptr_t)object->start + object->size);
  acre_object_release(region, object);
}
