/* SPDX-License-Identifier: MIT */
/* known.c - see known.h. */
#include "region/known.h"

#include <stddef.h>

#include "counting/globals.h"
#include "counting/object.h"
#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/os.h"

#define ENTRIES ((size_t)1 << 12)
/* More places in memory without a type are not told apart, where all else is the same. */
#define OTHERS_MAX 32

static struct acre_known_finding *table;

static uint64_t mix(uint64_t hash, uintptr_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

/* The entry of key, perhaps a new one; null if three quarters are in use. */
static struct acre_known_finding *entry_of(uint64_t key) {
  static size_t used;
  if (!table && !(table = acre_os_table(ENTRIES * sizeof *table)))
    return NULL;
  key = key ? key : 1;
  for (size_t i = (size_t)(key >> 32);; i++) {
    struct acre_known_finding *entry = &table[i % ENTRIES];
    if (entry->key == key)
      return entry;
    if (entry->key)
      continue;
    if (used >= ENTRIES - ENTRIES / 4)
      return NULL;
    used++;
    entry->key = key;
    return entry;
  }
}

/* It does not matter in which element of an array an offset lies. */
static size_t offset_in(const acre_type *type, size_t offset) {
  return type && type->size && !type->flexible_stride ? offset % type->size : offset;
}

/* The entry of one place in memory whose type is not known; that of all, if many were told apart.
 */
static struct acre_known_finding *entry_of_place(uint64_t all_key, uintptr_t place) {
  struct acre_known_finding *all = entry_of(all_key);
  if (!all || all->others >= OTHERS_MAX)
    return all;
  struct acre_known_finding *one = entry_of(mix(all_key, place));
  if (one && !one->others) {
    one->others = 1;
    all->others++;
  }
  return one;
}

struct acre_known_finding *acre_known_finding_of(uintptr_t slot, const void *value,
                                                 const char *here) {
  const struct acre_object target = acre_object_find(value);
  const struct acre_region_entry *region = acre_registry_at(acre_page_owner(value));
  const uint64_t led_to =
      mix(mix(mix(0, (uintptr_t)target.site), (uintptr_t)region->created_here), (uintptr_t)here);
  if (acre_page_owner((void *)slot)) {
    const struct acre_object holder = acre_object_find((void *)slot);
    const acre_type *type = holder.site ? holder.site->type : NULL;
    const size_t offset = offset_in(type, slot - (uintptr_t)holder.start);
    const uint64_t held_by = mix(led_to, (uintptr_t)holder.site);
    return type ? entry_of(mix(held_by, offset)) : entry_of_place(held_by, offset);
  }
  const struct acre_global_place place = acre_global_find(slot);
  if (place.global) {
    /* A variable without a type here is a pointer, or an array of them. */
    const size_t offset = place.global->type ? offset_in(place.global->type, place.offset) : 0;
    return entry_of(mix(mix(led_to, (uintptr_t)place.global), offset));
  }
  return entry_of_place(mix(led_to, 1), slot);
}
