/* SPDX-License-Identifier: MIT */
/* refcount.c - references: objects with a hidden count (Cyclone, 2004, section 3.2).
 *
 * Invariant: an object's block lives as long as it has references or weak references; all
 * references together count as one weak one, so that the block goes exactly when weak falls to
 * zero.  An object without references has given up what was counted in it, and what it owned.
 */
#include <acre/abi.h>
#include <acre/own.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory/descriptor.h"
#include "owner/cycles.h"
#include "owner/drop.h"
#include "owner/refcount.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"

/* Lies in front of the object, and is as long as malloc's alignment, so that the object keeps it.
 */
typedef struct header {
  uintptr_t what; /* the object's size, or the address of its kind | IS_KIND, or of what it owns |
                     IS_OWNER */
  uint32_t weak;
  uint32_t strong; /* its last bit says that the object is shared; one reference is 2 */
} header;
#define IS_KIND ((uintptr_t)1 << 63)
#define IS_OWNER ((uintptr_t)1 << 62)
#define SHARED 1u
#define ONE 2u

_Static_assert(sizeof(header) == 16, "objects are aligned as malloc aligns them");

struct acre_weak {
  header *of;
};

static header *header_of(const void *p) {
  return (header *)(uintptr_t)((const char *)p - sizeof(header));
}
static bool is_shared(const header *h) {
  return __atomic_load_n(&h->strong, __ATOMIC_RELAXED) & SHARED;
}

static const struct acre_ref_kind *kind_of(const header *h) {
  return h->what & IS_KIND ? (const struct acre_ref_kind *)(h->what & ~IS_KIND) : NULL;
}
static const acre_owned_type *owned_of(const header *h) {
  return h->what & IS_OWNER ? (const acre_owned_type *)(h->what & ~IS_OWNER) : NULL;
}
static size_t size_of(const header *h) {
  return kind_of(h) ? kind_of(h)->size : owned_of(h) ? owned_of(h)->size : h->what;
}

static void *make(size_t size, uintptr_t what, bool is_shared) {
  header *h = size < IS_OWNER - sizeof *h ? calloc(1, sizeof *h + size) : NULL;
  if (!h)
    return NULL;
  *h = (header){.what = what, .weak = 1, .strong = ONE | (is_shared ? SHARED : 0)};
  return h + 1;
}

void *acre_ref_new(size_t size) { return make(size, size, false); }
void *acre_ref_new_shared(size_t size) { return make(size, size, true); }

static void *make_of(size_t size, const acre_site *site, bool is_shared) {
  const acre_owned_type *owned = acre_site_owned(site);
  void *p =
      make(size, owned && owned->size == size ? (uintptr_t)owned | IS_OWNER : size, is_shared);
  if (p && acre_is_checking_cycles)
    acre_cycles_add(p, site);
  return p;
}

void *acre_ref_new_of(size_t size, const acre_site *site) { return make_of(size, site, false); }
void *acre_ref_new_shared_of(size_t size, const acre_site *site) {
  return make_of(size, site, true);
}
void *acre_ref_make(const struct acre_ref_kind *kind, bool is_shared) {
  return make(kind->size, (uintptr_t)kind | IS_KIND, is_shared);
}

/* Adds to a count and returns what it was. */
static uint32_t change(const header *h, uint32_t *count, uint32_t by) {
  if (is_shared(h))
    return __atomic_fetch_add(count, by, __ATOMIC_ACQ_REL);
  uint32_t old = *count;
  *count = old + by;
  return old;
}

void *acre_ref_alias(void *p) {
  if (p) {
    header *h = header_of(p);
    if (change(h, &h->strong, ONE) > UINT32_MAX - 2 * ONE)
      acre_os_fatal("an object has more than 2^31 references");
  }
  return p;
}

static void drop_weak(header *h) {
  ACRE_ASSERT(h->weak > 0 && "a block lives as long as it has references or weak ones");
  if (change(h, &h->weak, -1u) == 1)
    free(h);
}

const acre_owned_type *acre_ref_owned(const void *p) { return owned_of(header_of(p)); }

bool acre_ref_lose(void *p) {
  header *h = header_of(p);
  uint32_t old = change(h, &h->strong, -ONE);
  if (old < ONE)
    acre_os_fatal("a reference to an object that has none is dropped");
  return old < 2 * ONE;
}

static void free_dead(void *p) {
  header *h = header_of(p);
  if (acre_is_checking_cycles)
    acre_cycles_remove(p);
  acre_rt_release(p, size_of(h));
  drop_weak(h);
}

/* What an object's end gives up may hold the last reference to another one: a key to a region that
   holds a key, and so on.  Those wait in a list, so that a chain of any length needs no more stack
   than one. */
static void end_in_turn(void *p) {
  struct acre_thread *self = &acre_self;
  *(void **)p = self->ending;
  self->ending = p;
  if (self->is_ending)
    return;
  self->is_ending = true;
  while ((p = self->ending)) {
    self->ending = *(void **)p;
    kind_of(header_of(p))->end(p);
    free_dead(p);
  }
  self->is_ending = false;
}

void acre_ref_finish(void *p) {
  ACRE_ASSERT(acre_ref_count(p) == 0);
  if (kind_of(header_of(p)))
    end_in_turn(p);
  else
    free_dead(p);
}

void acre_ref_drop(void *p) {
  if (p && acre_ref_lose(p))
    acre_drop_dead_reference(p);
}

size_t acre_ref_count(const void *p) {
  return p ? __atomic_load_n(&header_of(p)->strong, __ATOMIC_RELAXED) / ONE : 0;
}

acre_weak *acre_weak_new(const void *p) {
  acre_weak *weak = p ? malloc(sizeof *weak) : NULL;
  if (weak) {
    weak->of = header_of(p);
    change(weak->of, &weak->of->weak, 1);
  }
  return weak;
}

void *acre_ref_of_weak(const acre_weak *weak) {
  if (!weak)
    return NULL;
  header *h = weak->of;
  uint32_t strong = __atomic_load_n(&h->strong, __ATOMIC_RELAXED);
  do
    if (strong < ONE)
      return NULL;
  while (!__atomic_compare_exchange_n(&h->strong, &strong, strong + ONE, true, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED));
  return h + 1;
}

void acre_weak_drop(acre_weak *weak) {
  if (!weak)
    return;
  drop_weak(weak->of);
  free(weak);
}
