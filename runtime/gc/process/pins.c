/* SPDX-License-Identifier: MIT */
/* pins.c - objects that are kept whether or not a pointer to them is found: acre_collected_pin, and
 * what compiled code stores at addresses where no pointer is looked for (acre_rt_gc_keep).
 *
 * A table with open addressing and linear probing, in memory that collections search like the
 * program's own.  It is at most half full.
 *
 * Invariant, under the lock of the heap: an address has at most one entry, and no empty one is
 * between that and the first of its chain.
 */
#include <acre/abi.h>
#include <acre/collected.h>

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "gc/heap/heap.h"
#include "gc/process/pins.h"
#include "gc/process/process.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"

#define SMALLEST ((size_t)1 << 16)

typedef struct pin {
  void *object; /* null: empty */
  size_t count; /* of acre_collected_pin */
  bool is_until_freed;
} pin;

typedef struct table {
  pin *pins;
  size_t capacity, used; /* a power of two, or 0 */
} table;

static table all;
size_t acre_gc_kept_until_freed;

static size_t first_of(const table *t, const void *p) {
  return (size_t)(((uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->capacity - 1);
}

/* The entry of p, or the empty one where it would be.  Needs a table that is not full. */
static pin *find(const table *t, const void *p) {
  ACRE_ASSERT(t->used < t->capacity);
  size_t at = first_of(t, p);
  while (t->pins[at].object && t->pins[at].object != p)
    at = (at + 1) & (t->capacity - 1);
  return &t->pins[at];
}

/* The old table is not unmapped, because a collection may be about to search it. */
static bool grow(void) {
  size_t capacity = all.capacity ? 2 * all.capacity : SMALLEST;
  pin *pins = acre_os_reserve(capacity * sizeof *pins, alignof(max_align_t));
  if (!pins || !acre_os_commit(pins, capacity * sizeof *pins))
    return false;
  table grown = {pins, capacity, all.used};
  for (size_t i = 0; i < all.capacity; i++)
    if (all.pins[i].object)
      *find(&grown, all.pins[i].object) = all.pins[i];
  if (all.pins)
    memset(all.pins, 0, all.capacity * sizeof *pins);
  all = grown;
  return true;
}

/* The entry of p, which has one from now on. */
static pin *entry_of(void *p) {
  if (2 * all.used >= all.capacity && !grow())
    acre_os_fatal("out of memory for pins");
  pin *entry = find(&all, p);
  all.used += !entry->object;
  entry->object = p;
  return entry;
}

/* Empties the entry if nothing needs it.  What follows in its chain moves up. */
static void drop_unused(pin *entry) {
  if (entry->count || entry->is_until_freed)
    return;
  size_t mask = all.capacity - 1, hole = (size_t)(entry - all.pins);
  for (size_t at = (hole + 1) & mask; all.pins[at].object; at = (at + 1) & mask) {
    size_t first = first_of(&all, all.pins[at].object);
    if (((at - first) & mask) < ((at - hole) & mask))
      continue;
    all.pins[hole] = all.pins[at];
    hole = at;
  }
  all.pins[hole] = (pin){0};
  all.used--;
}

void acre_collected_pin(void *p) {
  if (!acre_collected_owns(p))
    return;
  acre_gc_use use = acre_gc_process_enter();
  entry_of(p)->count++;
  acre_gc_process_leave(&use);
}

void acre_collected_unpin(void *p) {
  if (!acre_collected_owns(p))
    return;
  acre_gc_use use = acre_gc_process_enter();
  pin *entry = all.pins ? find(&all, p) : NULL;
  if (!entry || !entry->count)
    acre_os_fatal("acre_collected_unpin: %p is not pinned; unpin what was passed to "
                  "acre_collected_pin, as often",
                  p);
  entry->count--;
  drop_unused(entry);
  acre_gc_process_leave(&use);
}

/* A signal handler that has interrupted a call of the heap may not enter it. */
void acre_rt_gc_keep(const void *value) {
  if (!acre_collected_owns(value) || acre_self.is_in_collected)
    return;
  acre_gc_use use = acre_gc_process_enter();
  heap *h = use.heap;
  const char *start = h->quarantine.is_on ? NULL : acre_heap_object_of(&h->head, value);
  if (start) {
    pin *entry = entry_of((void *)(uintptr_t)start);
    __atomic_fetch_add(&acre_gc_kept_until_freed, !entry->is_until_freed, __ATOMIC_RELAXED);
    entry->is_until_freed = true;
  }
  acre_gc_process_leave(&use);
}

void acre_gc_keep_no_more(const void *p) {
  if (!acre_collected_owns(p))
    return;
  acre_gc_use use = acre_gc_process_enter();
  pin *entry = all.pins ? find(&all, p) : NULL;
  if (entry && entry->is_until_freed) {
    entry->is_until_freed = false;
    __atomic_fetch_sub(&acre_gc_kept_until_freed, 1, __ATOMIC_RELAXED);
    drop_unused(entry);
  }
  acre_gc_process_leave(&use);
}
