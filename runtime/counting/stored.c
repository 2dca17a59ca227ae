/* SPDX-License-Identifier: MIT */
/* stored.c - see stored.h.  A radix tree as that of the records (record.c), made as stores come. */
#include "counting/stored.h"

#include <stdbool.h>

#include "counting/store.h"
#include "memory/pages.h"
#include "platform/os.h"

#define LEVEL_SIZE ((size_t)1 << 16)
#define LEAF_SLOTS ((size_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT))

struct entry {
  const void *value;
  const acre_rt_stored *at;
};
static void *root;

/* What *link leads to; a new table if it leads nowhere and size is not 0.  Null without memory. */
static void *follow(void **link, size_t size) {
  void *present = __atomic_load_n(link, __ATOMIC_ACQUIRE);
  void *fresh = present || !size ? NULL : acre_os_table(size);
  if (!fresh ||
      __atomic_compare_exchange_n(link, &present, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh ? fresh : present;
  acre_os_unreserve(fresh, size);
  return present;
}

static struct entry *entry_of(uintptr_t slot, bool makes) {
  const size_t level = makes ? LEVEL_SIZE * sizeof(void *) : 0;
  void **upper = follow(&root, level);
  void **middle = upper ? follow(&upper[slot >> 32 & (LEVEL_SIZE - 1)], level) : NULL;
  struct entry *leaf = middle ? follow(&middle[slot >> ACRE_FILTER_SHIFT & (LEVEL_SIZE - 1)],
                                       makes ? LEAF_SLOTS * sizeof(struct entry) : 0)
                              : NULL;
  return leaf ? &leaf[slot >> ACRE_RECORD_SHIFT & (LEAF_SLOTS - 1)] : NULL;
}

static void set(struct entry *entry, const void *value, const acre_rt_stored *at) {
  if (!entry)
    return;
  __atomic_store_n(&entry->value, value, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->at, at, __ATOMIC_RELAXED);
}

const acre_rt_stored *acre_stored_find(uintptr_t slot, const void *value) {
  const struct entry *entry = entry_of(slot, false);
  return entry && value && __atomic_load_n(&entry->value, __ATOMIC_RELAXED) == value
             ? __atomic_load_n(&entry->at, __ATOMIC_RELAXED)
             : NULL;
}

void acre_stored_move(uintptr_t from, uintptr_t to) {
  const struct entry *entry = root ? entry_of(from, false) : NULL;
  if (entry && entry->at)
    set(entry_of(to, true), entry->value, entry->at);
}

void acre_rt_stored_at(void *slot, void *value, const acre_rt_stored *at) {
  if (acre_page_owner(value))
    set(entry_of((uintptr_t)slot, true), value, at);
}

void acre_rt_stored_range_at(void *address, size_t size, const acre_rt_stored *at) {
  const uintptr_t low =
                      ((uintptr_t)address + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1),
                  high = (uintptr_t)address + size;
  for (uintptr_t slot = low; acre_rt_active && slot + ACRE_SLOT_SIZE <= high;
       slot += ACRE_SLOT_SIZE)
    if (at)
      acre_rt_stored_at((void *)slot, acre_read_slot(slot), at);
    else if (root)
      set(entry_of(slot, false), NULL, NULL);
}
