/* SPDX-License-Identifier: MIT */
/* registry.c - see registry.h. */
#include "counting/registry.h"

#include <pthread.h>

#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"

unsigned char acre_rt_active;

struct acre_region_entry *acre_region_chunks[ACRE_INDEX_LIMIT >> ACRE_CHUNK_SHIFT];

/* Under the lock, except that counts are read without it for statistics. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acre_region_entry *free_first, *free_last;
static uint32_t index_limit; /* one past the highest index used */
static bool expects_records;
static size_t live_count, created_count;

void acre_registry_lock(void) { pthread_mutex_lock(&lock); }
void acre_registry_unlock(void) {
  ACRE_ASSERT(acre_is_locked(&lock));
  pthread_mutex_unlock(&lock);
}

/* -- Slots ------------------------------------------------------------------------------------- */

/* No part of the entry tells of an earlier region, but what messages say of its handle. */
static bool is_unused(const struct acre_region_entry *slot) {
  return slot->state == ACRE_STATE_FREE && slot->signature == 0 && slot->count == 0 &&
         slot->pages == 0 && !slot->parent && !slot->first_child && !slot->next_sibling &&
         !slot->next && !slot->condemned.set && slot->generation > 0;
}

static bool is_child_of_parent(const struct acre_region_entry *slot) {
  const struct acre_region_entry *parent = slot->parent, *previous = slot->previous_sibling;
  return parent && (previous ? previous->next_sibling : parent->first_child) == slot;
}

static void make_live(struct acre_region_entry *slot, const char *here) {
  slot->state = ACRE_STATE_LIVE;
  slot->owner = acre_thread_id();
  slot->policy = ACRE_POLICY_DEFAULT;
  slot->bytes_limit = SIZE_MAX;
  slot->created_here = here;
  slot->signature = ACRE_REGION_SIGNATURE;
  slot->open = acre_handle_of(slot);
}

static struct acre_allocator nothing; /* has no block */
_Thread_local acre_rt_allocating acre_rt_current
    __attribute__((tls_model("initial-exec"))) = {NULL, &nothing.bump, &nothing.bump};

void acre_registry_drop_current(acre_region handle) {
  if (acre_rt_current.region == handle)
    acre_rt_current = (acre_rt_allocating){NULL, &nothing.bump, &nothing.bump};
}

void acre_registry_update_open(struct acre_region_entry *region) {
  bool is_open = region->state == ACRE_STATE_LIVE && region->owner &&
                 region->owner != ACRE_OWNER_CLOSED && region->bytes_limit == SIZE_MAX;
  region->open = is_open ? acre_handle_of(region) : NULL;
  if (!is_open)
    acre_registry_drop_current(acre_handle_of(region));
}

/* A slot that was never used.  With the lock held. */
static struct acre_region_entry *extend_table(void) {
  if (index_limit == ACRE_INDEX_LIMIT)
    return NULL;
  struct acre_region_entry **chunk = &acre_region_chunks[index_limit >> ACRE_CHUNK_SHIFT];
  if (!*chunk) {
    struct acre_region_entry *fresh = acre_os_table(ACRE_CHUNK_SIZE * sizeof *fresh);
    if (!fresh)
      return NULL;
    __atomic_store_n(chunk, fresh, __ATOMIC_RELEASE);
  }
  struct acre_region_entry *slot = &(*chunk)[index_limit & (ACRE_CHUNK_SIZE - 1)];
  slot->index = index_limit;
  slot->generation = 1;
  __atomic_store_n(&index_limit, index_limit + 1, __ATOMIC_RELEASE);
  return slot;
}

/* The first two slots are the traditional and the permanent region.  With the lock held. */
static bool start_table(void) {
  static const char *const names[] = {"traditional", "permanent"};
  for (uint32_t i = 0; i < 2; i++) {
    struct acre_region_entry *slot = extend_table();
    if (!slot)
      return false;
    make_live(slot, "the runtime");
    slot->owner = 0;
    slot->open = NULL;
    slot->name = names[i];
    slot->root = slot;
    acre_order_start(&slot->begin, &slot->end);
  }
  return true;
}

struct acre_region_entry *acre_registry_acquire(const char *here) {
  bool is_locked = acre_lock(&lock);
  struct acre_region_entry *slot = free_first;
  if (slot) {
    free_first = slot->next;
    if (!free_first)
      free_last = NULL;
    slot->next = NULL;
  } else {
    slot = extend_table();
  }
  if (slot) {
    ACRE_ASSERT(is_unused(slot) && "an entry is reused when nothing names it any more");
    make_live(slot, here ? here : "an unknown place");
    created_count++;
    if (live_count++ == 0)
      __atomic_store_n(&acre_rt_active, 1, __ATOMIC_RELEASE);
  }
  acre_unlock(&lock, is_locked);
  return slot;
}

void acre_registry_release(struct acre_region_entry *slot, const char *here) {
  ACRE_ASSERT(slot->signature == ACRE_REGION_SIGNATURE);
  ACRE_ASSERT(slot->count == 0 && "no record or pin names a region that is gone");
  ACRE_ASSERT(slot->pages == 0 && "no page belongs to a region that is gone");
  ACRE_ASSERT(!is_child_of_parent(slot) && slot->child_count == 0 &&
              "no relative names a region that is gone");
  bool is_locked = acre_lock(&lock);
  const acre_region handle = acre_handle_of(slot);
  (void)handle;
  *slot = (struct acre_region_entry){.index = slot->index,
                                     .generation = slot->generation,
                                     .dead_created_here = slot->created_here,
                                     .dead_deleted_here = here ? here : "an unknown place"};
  if (slot->generation == ACRE_GENERATION_MAX) {
    slot->state = ACRE_STATE_RETIRED;
  } else {
    slot->generation++;
    ACRE_ASSERT(!acre_registry_find(handle) && handle != acre_handle_of(slot) &&
                "a handle never names a later region");
    *(free_last ? &free_last->next : &free_first) = slot;
    free_last = slot;
  }
  /* Without regions there are no records but those of escaped_locals.c: they name regions that
   * live. */
  if (--live_count == 0 && !expects_records)
    __atomic_store_n(&acre_rt_active, 0, __ATOMIC_RELEASE);
  acre_unlock(&lock, is_locked);
}

void acre_registry_expect_records(void) {
  if (__atomic_load_n(&expects_records, __ATOMIC_ACQUIRE))
    return;
  bool is_locked = acre_lock(&lock);
  __atomic_store_n(&expects_records, true, __ATOMIC_RELEASE);
  __atomic_store_n(&acre_rt_active, 1, __ATOMIC_RELEASE);
  acre_unlock(&lock, is_locked);
}

/* -- Handles ----------------------------------------------------------------------------------- */

static uint32_t generation_of(acre_region handle) {
  return (uint32_t)((uintptr_t)handle >> 32) & ACRE_GENERATION_MAX;
}
static bool is_handle(acre_region handle) { return (uintptr_t)handle >> 63; }

/* The slot that handle names or once named. */
static struct acre_region_entry *slot_of(acre_region handle) {
  uint32_t index = (uint32_t)(uintptr_t)handle;
  return is_handle(handle) && index < acre_registry_limit() ? acre_registry_at(index) : NULL;
}

struct acre_region_entry *acre_registry_find(acre_region handle) {
  struct acre_region_entry *slot = slot_of(handle);
  bool is_alive =
      slot && slot->generation == generation_of(handle) && slot->signature == ACRE_REGION_SIGNATURE;
  return is_alive ? slot : NULL;
}

_Noreturn static void fail_dead(acre_region handle, const acre_os_call *call) {
  if (!handle)
    acre_os_fatal_call(call, "the region handle is null");
  struct acre_region_entry *slot = slot_of(handle);
  if (!slot || generation_of(handle) == 0 || generation_of(handle) > slot->generation)
    acre_os_fatal_call(call, "%p is not a region handle", (void *)handle);
  bool is_last_occupant =
      slot->dead_created_here &&
      (slot->generation - generation_of(handle) == 1 || slot->state == ACRE_STATE_RETIRED);
  if (!is_last_occupant)
    acre_os_fatal_call(call, "the region of this handle was deleted long ago");
  acre_os_fatal_call(call, "the region created at %s was deleted at %s", slot->dead_created_here,
                     slot->dead_deleted_here);
}

_Noreturn static void fail_foreign(const struct acre_region_entry *slot, const acre_os_call *call) {
  if (slot->index == ACRE_INDEX_TRADITIONAL)
    acre_os_fatal_call(call, "not possible with the traditional region");
  if (slot->state == ACRE_STATE_DEFERRED)
    acre_os_fatal_call(
        call, "the region created at %s has been deleted (deferred until nothing points into it)",
        slot->created_here);
  if (slot->owner == ACRE_OWNER_CLOSED)
    acre_os_fatal_call(call, "the arena created at %s is not open", slot->created_here);
  acre_os_fatal_call(call, "the region created at %s belongs to another thread",
                     slot->created_here);
}

struct acre_region_entry *acre_registry_expect(acre_region handle, const char *function) {
  struct acre_region_entry *slot = acre_registry_find(handle);
  if (__builtin_expect(!slot, 0))
    fail_dead(handle, &(acre_os_call){.what = function});
  return slot;
}

__attribute__((noinline)) _Noreturn static void fail_own(acre_region handle, const char *function,
                                                         const char *here, const acre_site *site) {
  acre_os_call call = {.what = function, .here = here};
  if (!here && site && site->file)
    call = (acre_os_call){function, NULL, site->file, site->function, site->line};
  struct acre_region_entry *slot = acre_registry_find(handle);
  if (!slot)
    fail_dead(handle, &call);
  fail_foreign(slot, &call);
}

struct acre_region_entry *acre_registry_expect_own_at(acre_region handle, const char *function,
                                                      const char *here, const acre_site *site) {
  struct acre_region_entry *slot = acre_registry_find(handle);
  bool is_own = slot && slot->index != ACRE_INDEX_TRADITIONAL &&
                slot->state != ACRE_STATE_DEFERRED && slot->owner != ACRE_OWNER_CLOSED &&
                (!slot->owner || slot->owner == acre_thread_id());
  if (__builtin_expect(!is_own, 0))
    fail_own(handle, function, here, site);
  return slot;
}

struct acre_region_entry *acre_registry_expect_own(acre_region handle, const char *function) {
  return acre_registry_expect_own_at(handle, function, NULL, NULL);
}

void acre_registry_set_generation(acre_region handle, uint32_t generation) {
  struct acre_region_entry *slot = acre_registry_expect(handle, "acre_registry_set_generation");
  acre_registry_drop_current(handle);
  slot->generation = generation;
  acre_registry_update_open(slot);
}

/* -- Questions --------------------------------------------------------------------------------- */

size_t acre_registry_live_count(void) { return __atomic_load_n(&live_count, __ATOMIC_RELAXED); }
size_t acre_registry_created_count(void) {
  return __atomic_load_n(&created_count, __ATOMIC_RELAXED);
}
uint32_t acre_registry_limit(void) { return __atomic_load_n(&index_limit, __ATOMIC_ACQUIRE); }

bool acre_registry_start(void) {
  acre_registry_lock();
  bool is_started = index_limit > 1 || start_table();
  acre_registry_unlock();
  return is_started;
}

void acre_registry_expect_start(void) {
  if (!acre_registry_start())
    acre_os_fatal("out of memory for the region table");
}

bool acre_registry_check_slot(const struct acre_region_entry *slot) {
  if (slot->state == ACRE_STATE_FREE || slot->state == ACRE_STATE_RETIRED)
    return slot->signature == 0 && slot->count == 0 && slot->pages == 0;
  size_t children = 0;
  for (const struct acre_region_entry *child = slot->first_child; child;
       child = child->next_sibling, children++)
    if (child->parent != slot || child->root != slot->root ||
        child->signature != ACRE_REGION_SIGNATURE ||
        (child->next_sibling && child->next_sibling->previous_sibling != child))
      return false;
  if (slot->open && (slot->open != acre_handle_of(slot) || slot->state != ACRE_STATE_LIVE ||
                     !slot->owner || slot->bytes_limit != SIZE_MAX))
    return false;
  return slot->signature == ACRE_REGION_SIGNATURE && acre_registry_at(slot->index) == slot &&
         slot->count >= 0 && children == slot->child_count && slot->begin.label < slot->end.label;
}
