/* SPDX-License-Identifier: MIT */
/* pins.c - objects that the program keeps by itself: acre_collected_pin.
 *
 * A table with open addressing and linear probing, in memory that collections search like the
 * program's own.
 *
 * Invariant, under the lock of the heap: an address has at most one entry, before the first empty
 * one of its chain.  An entry whose count is 0 refers to nothing, and may be given to another
 * address.
 */
#include <acre/collected.h>

#include "gc/process/process.h"
#include "platform/os.h"

#define CAPACITY ((size_t)1 << 20)
#define HASH_SHIFT 44 /* leaves as many bits */

typedef struct pin {
  uintptr_t key; /* the complement of the address, which is none; 0: empty */
  void *object;  /* the address, while it is pinned */
  size_t count;
} pin;

static pin *pins;

static bool has_table(void) {
  if (pins)
    return true;
  pin *fresh = acre_os_reserve(CAPACITY * sizeof *fresh, sizeof(max_align_t));
  if (fresh && acre_os_commit(fresh, CAPACITY * sizeof *fresh))
    pins = fresh;
  return pins != NULL;
}

/* The entry of p; if it has none, one that may become so; null if there is neither. */
static pin *find(const void *p) {
  uintptr_t key = ~(uintptr_t)p;
  size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> HASH_SHIFT);
  pin *dead = NULL;
  for (size_t probes = 0; probes < CAPACITY; probes++, at = (at + 1) % CAPACITY) {
    pin *each = &pins[at];
    if (each->key == key)
      return each;
    if (!each->key)
      return dead ? dead : each;
    if (!each->count && !dead)
      dead = each;
  }
  return dead;
}

void acre_collected_pin(void *p) {
  if (!acre_collected_owns(p))
    return;
  acre_gc_use use = acre_gc_process_enter();
  pin *entry = has_table() ? find(p) : NULL;
  if (!entry)
    acre_os_fatal("out of memory for pins, or more than %zu addresses are pinned", CAPACITY);
  *entry = (pin){~(uintptr_t)p, p, entry->count + 1};
  acre_gc_process_leave(&use);
}

void acre_collected_unpin(void *p) {
  if (!acre_collected_owns(p))
    return;
  acre_gc_use use = acre_gc_process_enter();
  pin *entry = pins ? find(p) : NULL;
  if (!entry || !entry->count || entry->object != p)
    acre_os_fatal("acre_collected_unpin: %p is not pinned; unpin what was passed to "
                  "acre_collected_pin, as often",
                  p);
  if (--entry->count == 0)
    entry->object = NULL;
  acre_gc_process_leave(&use);
}
