/* SPDX-License-Identifier: MIT */
/* stored.c - see stored.h.  Radix trees as that of the records (record.c), made as stores come. */
#include "counting/stored.h"

#include <stdbool.h>

#include "counting/store.h"
#include "memory/pages.h"
#include "platform/os.h"
#include "platform/thread.h"

#define LEVEL_SIZE ((size_t)1 << 16)
#define LEAF_SLOTS ((size_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT))

struct entry {
  const void *value;        /* of a slot */
  const acre_rt_stored *at; /* the slot was stored */
};
struct block {
  const acre_rt_where *at; /* it was allocated */
};
static void *slots, *blocks;

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

/* The leaf for address, which has an element of size bytes for each slot. */
static void *leaf_of(void **root, uintptr_t address, size_t size, bool makes) {
  const size_t level = makes ? LEVEL_SIZE * sizeof(void *) : 0;
  void **upper = follow(root, level);
  void **middle = upper ? follow(&upper[address >> 32 & (LEVEL_SIZE - 1)], level) : NULL;
  return middle ? follow(&middle[address >> ACRE_FILTER_SHIFT & (LEVEL_SIZE - 1)],
                         makes ? LEAF_SLOTS * size : 0)
                : NULL;
}

static struct entry *entry_of(uintptr_t slot, bool makes) {
  struct entry *leaf = leaf_of(&slots, slot, sizeof *leaf, makes);
  return leaf ? &leaf[slot >> ACRE_RECORD_SHIFT & (LEAF_SLOTS - 1)] : NULL;
}

static struct block *block_of(uintptr_t start, bool makes) {
  struct block *leaf = leaf_of(&blocks, start, sizeof *leaf, makes);
  return leaf ? &leaf[start >> ACRE_RECORD_SHIFT & (LEAF_SLOTS - 1)] : NULL;
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
  const struct entry *entry = slots ? entry_of(from, false) : NULL;
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
  for (uintptr_t slot = low; acre_is_counting() && slot + ACRE_SLOT_SIZE <= high;
       slot += ACRE_SLOT_SIZE)
    if (at)
      acre_rt_stored_at((void *)slot, acre_read_slot(slot), at);
    else if (slots)
      set(entry_of(slot, false), NULL, NULL);
}

void acre_rt_kept_at(const acre_rt_stored *at) { acre_self.kept_at = at; }

void acre_rt_allocated_at(const void *p, const acre_rt_where *at) {
  struct block *block = p && !acre_page_owner(p) ? block_of((uintptr_t)p, at != NULL) : NULL;
  if (block)
    __atomic_store_n(&block->at, at, __ATOMIC_RELAXED);
}

const acre_rt_where *acre_allocated_find(uintptr_t start) {
  const struct block *block = block_of(start, false);
  return block ? __atomic_load_n(&block->at, __ATOMIC_RELAXED) : NULL;
}
