/* SPDX-License-Identifier: MIT */
/* registry.c - see registry.h. */
#include "counting/registry.h"

#include <pthread.h>

#include "counting/copy.h"
#include "counting/patch.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"

unsigned char acre_rt_active;
bool acre_registry_expects_records;

struct acre_region_entry *acre_region_chunks[ACRE_INDEX_LIMIT >> ACRE_CHUNK_SHIFT];

/* Under the lock, except that counts are read without it for statistics. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acre_region_entry *free_first, *free_last;
static uint32_t index_limit; /* one past the highest index used */
static size_t live_count, created_count;

void acre_registry_lock(void) { pthread_mutex_lock(&lock); }
void acre_registry_unlock(void) {
  ACRE_ASSERT(acre_is_locked(&lock));
  pthread_mutex_unlock(&lock);
}

/* -- Entries ----------------------------------------------------------------------------------- */

/* No part of the entry tells of an earlier region, but what messages say of its handle. */
static bool is_unused(const struct acre_region_entry *entry) {
  return entry->state == ACRE_STATE_FREE && entry->signature == 0 && entry->count == 0 &&
         entry->pages == 0 && !entry->parent && !entry->first_child && !entry->next_sibling &&
         !entry->next && !entry->condemned.set && entry->generation > 0;
}

static bool is_child_of_parent(const struct acre_region_entry *entry) {
  const struct acre_region_entry *parent = entry->parent, *previous = entry->previous_sibling;
  return parent && (previous ? previous->next_sibling : parent->first_child) == entry;
}

static void make_live(struct acre_region_entry *entry, const char *here) {
  entry->state = ACRE_STATE_LIVE;
  __atomic_store_n(&entry->owner, acre_thread_id(), __ATOMIC_RELAXED);
  entry->policy = ACRE_POLICY_DEFAULT;
  entry->bytes_limit = SIZE_MAX;
  entry->created_here = here;
  entry->signature = ACRE_REGION_SIGNATURE;
  entry->open = acre_handle_of(entry);
}

static struct acre_allocator nothing; /* has no block */
_Thread_local acre_rt_allocating acre_rt_current
    __attribute__((tls_model("initial-exec"))) = {NULL, &nothing.bump, &nothing.bump};

void acre_registry_drop_current(acre_region handle) {
  if (acre_rt_current.region == handle)
    acre_rt_current = (acre_rt_allocating){NULL, &nothing.bump, &nothing.bump};
}

void acre_registry_update_open(struct acre_region_entry *region) {
  const uint32_t owner = acre_region_owner(region);
  bool is_open = region->state == ACRE_STATE_LIVE && owner && owner != ACRE_OWNER_CLOSED &&
                 region->bytes_limit == SIZE_MAX;
  region->open = is_open ? acre_handle_of(region) : NULL;
  if (!is_open)
    acre_registry_drop_current(acre_handle_of(region));
}

/* An entry that was never used.  With the lock held. */
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
  struct acre_region_entry *entry = &(*chunk)[index_limit & (ACRE_CHUNK_SIZE - 1)];
  entry->index = index_limit;
  entry->generation = 1;
  __atomic_store_n(&index_limit, index_limit + 1, __ATOMIC_RELEASE);
  return entry;
}

/* The first two entries are the traditional and the permanent region.  With the lock held. */
static bool start_table(void) {
  static const char *const names[] = {"traditional", "permanent"};
  for (uint32_t i = 0; i < 2; i++) {
    struct acre_region_entry *entry = extend_table();
    if (!entry)
      return false;
    make_live(entry, "the runtime");
    entry->owner = 0;
    entry->open = NULL;
    entry->name = names[i];
    entry->root = entry;
    acre_order_start(&entry->begin, &entry->end);
  }
  return true;
}

/* Needs the lock. */
static void start_counting(void) {
  __atomic_store_n(&acre_rt_active, 1, __ATOMIC_RELEASE);
  acre_copies_count(true);
  acre_patches_apply();
}

/* Needs the lock. */
static void stop_counting(void) {
  __atomic_store_n(&acre_rt_active, 0, __ATOMIC_RELEASE);
  acre_copies_count(false);
}

struct acre_region_entry *acre_registry_acquire(const char *here) {
  bool is_locked = acre_lock(&lock);
  struct acre_region_entry *entry = free_first;
  if (entry) {
    free_first = entry->next;
    if (!free_first)
      free_last = NULL;
    entry->next = NULL;
  } else {
    entry = extend_table();
  }
  if (entry) {
    ACRE_ASSERT(is_unused(entry) && "an entry is reused when nothing names it any more");
    make_live(entry, here ? here : "an unknown place");
    created_count++;
    if (live_count++ == 0)
      start_counting();
  }
  acre_unlock(&lock, is_locked);
  return entry;
}

/* Word by word, because walks of records by other threads ask who owns the region, and whether it
   is condemned. */
static void forget_all(struct acre_region_entry *entry, const char *deleted_here) {
  typedef uint64_t word __attribute__((may_alias));
  _Static_assert(sizeof *entry % sizeof(word) == 0, "an entry has whole words");
  struct acre_region_entry fresh = {.index = entry->index,
                                    .generation = entry->generation,
                                    .dead_created_here = entry->created_here,
                                    .dead_deleted_here = deleted_here};
  for (size_t i = 0; i < sizeof fresh / sizeof(word); i++)
    __atomic_store_n((word *)entry + i, ((const word *)&fresh)[i], __ATOMIC_RELAXED);
}

void acre_registry_release(struct acre_region_entry *entry, const char *here) {
  ACRE_ASSERT(entry->signature == ACRE_REGION_SIGNATURE);
  ACRE_ASSERT(entry->count == 0 && "no record or pin names a region that is gone");
  ACRE_ASSERT(entry->pages == 0 && "no page belongs to a region that is gone");
  ACRE_ASSERT(!is_child_of_parent(entry) && entry->child_count == 0 &&
              "no relative names a region that is gone");
  bool is_locked = acre_lock(&lock);
  const acre_region handle = acre_handle_of(entry);
  const bool is_retired = entry->generation == ACRE_GENERATION_MAX || entry->is_remembered;
  (void)handle;
  forget_all(entry, here ? here : "an unknown place");
  if (is_retired) {
    entry->state = ACRE_STATE_RETIRED;
  } else {
    entry->generation++;
    ACRE_ASSERT(!acre_registry_find(handle) && handle != acre_handle_of(entry) &&
                "a handle never names a later region");
    *(free_last ? &free_last->next : &free_first) = entry;
    free_last = entry;
  }
  if (--live_count == 0)
    stop_counting();
  acre_unlock(&lock, is_locked);
}

void acre_registry_expect_records(void) {
  if (__atomic_load_n(&acre_registry_expects_records, __ATOMIC_RELAXED))
    return;
  acre_registry_expect_start();
  __atomic_store_n(&acre_registry_expects_records, true, __ATOMIC_RELAXED);
}

/* -- Handles ----------------------------------------------------------------------------------- */

static uint32_t generation_of(acre_region handle) {
  return (uint32_t)((uintptr_t)handle >> 32) & ACRE_GENERATION_MAX;
}
static bool is_handle(acre_region handle) { return (uintptr_t)handle >> 63; }

/* The entry that handle names or once named. */
static struct acre_region_entry *entry_of(acre_region handle) {
  uint32_t index = (uint32_t)(uintptr_t)handle;
  return is_handle(handle) && index < acre_registry_limit() ? acre_registry_at(index) : NULL;
}

struct acre_region_entry *acre_registry_find(acre_region handle) {
  struct acre_region_entry *entry = entry_of(handle);
  bool is_alive = entry && entry->generation == generation_of(handle) &&
                  entry->signature == ACRE_REGION_SIGNATURE;
  return is_alive ? entry : NULL;
}

_Noreturn static void fail_dead(acre_region handle, const acre_os_call *call) {
  if (!handle)
    acre_os_fatal_call(call, "the region handle is null");
  struct acre_region_entry *entry = entry_of(handle);
  if (!entry || generation_of(handle) == 0 || generation_of(handle) > entry->generation)
    acre_os_fatal_call(call, "%p is not a region handle", (void *)handle);
  bool is_last_occupant =
      entry->dead_created_here &&
      (entry->generation - generation_of(handle) == 1 || entry->state == ACRE_STATE_RETIRED);
  if (!is_last_occupant)
    acre_os_fatal_call(call, "the region of this handle was deleted long ago");
  acre_os_fatal_call(call, "the region created at %s was deleted at %s", entry->dead_created_here,
                     entry->dead_deleted_here);
}

_Noreturn static void fail_foreign(const struct acre_region_entry *entry,
                                   const acre_os_call *call) {
  if (entry->index == ACRE_INDEX_TRADITIONAL)
    acre_os_fatal_call(call, "not possible with the traditional region");
  if (entry->state == ACRE_STATE_DEFERRED)
    acre_os_fatal_call(
        call, "the region created at %s has been deleted (deferred until nothing points into it)",
        entry->created_here);
  const char *created = entry->created_here, *given = entry->given_here;
  const bool is_closed = acre_region_owner(entry) == ACRE_OWNER_CLOSED;
  if (is_closed && entry->is_bound)
    acre_os_fatal_call(call, "the arena created at %s is not open", created);
  if (is_closed)
    acre_os_fatal_call(call, "the region created at %s was given away at %s", created, given);
  if (given)
    acre_os_fatal_call(call, "the region created at %s was given away at %s, and taken", created,
                       given);
  acre_os_fatal_call(call, "the region created at %s belongs to another thread", created);
}

struct acre_region_entry *acre_registry_expect_at(acre_region handle, const char *function,
                                                  const char *here) {
  struct acre_region_entry *entry = acre_registry_find(handle);
  if (__builtin_expect(!entry, 0))
    fail_dead(handle, &(acre_os_call){.what = function, .here = here});
  return entry;
}

struct acre_region_entry *acre_registry_expect(acre_region handle, const char *function) {
  return acre_registry_expect_at(handle, function, NULL);
}

__attribute__((noinline)) _Noreturn static void fail_own(acre_region handle, const char *function,
                                                         const char *here, const acre_site *site) {
  acre_os_call call = {.what = function, .here = here};
  if (!here && site && site->file)
    call = (acre_os_call){function, NULL, site->file, site->function, site->line};
  struct acre_region_entry *entry = acre_registry_find(handle);
  if (!entry)
    fail_dead(handle, &call);
  fail_foreign(entry, &call);
}

struct acre_region_entry *acre_registry_expect_own_at(acre_region handle, const char *function,
                                                      const char *here, const acre_site *site) {
  struct acre_region_entry *entry = acre_registry_find(handle);
  const uint32_t owner = entry ? acre_region_owner(entry) : 0;
  bool is_own = entry && entry->index != ACRE_INDEX_TRADITIONAL &&
                entry->state != ACRE_STATE_DEFERRED && (!owner || owner == acre_thread_id());
  if (__builtin_expect(!is_own, 0))
    fail_own(handle, function, here, site);
  return entry;
}

struct acre_region_entry *acre_registry_expect_own(acre_region handle, const char *function) {
  return acre_registry_expect_own_at(handle, function, NULL, NULL);
}

void acre_registry_set_generation(acre_region handle, uint32_t generation) {
  struct acre_region_entry *entry = acre_registry_expect(handle, "acre_registry_set_generation");
  acre_registry_drop_current(handle);
  entry->generation = generation;
  acre_registry_update_open(entry);
}

/* -- Questions --------------------------------------------------------------------------------- */

bool acre_registry_is_condemned(const struct acre_region_entry *region) {
  return acre_condemned_set_of(region) && acre_region_owner(region) == acre_thread_id();
}

static int zombie_count;

void acre_registry_count_zombies(int more) {
  __atomic_fetch_add(&zombie_count, more, __ATOMIC_ACQ_REL);
}
bool acre_registry_has_zombies(void) { return __atomic_load_n(&zombie_count, __ATOMIC_ACQUIRE); }

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

struct acre_region_entry *acre_registry_next_below(const struct acre_region_entry *root,
                                                   struct acre_region_entry *region) {
  if (region->first_child)
    return region->first_child;
  while (region != root && !region->next_sibling)
    region = region->parent;
  return region == root ? NULL : region->next_sibling;
}

bool acre_registry_check_entry(const struct acre_region_entry *entry) {
  if (entry->state == ACRE_STATE_FREE || entry->state == ACRE_STATE_RETIRED)
    return entry->signature == 0 && entry->count == 0 && entry->pages == 0;
  size_t children = 0;
  for (const struct acre_region_entry *child = entry->first_child; child;
       child = child->next_sibling, children++)
    if (child->parent != entry || child->root != entry->root ||
        child->signature != ACRE_REGION_SIGNATURE ||
        (child->next_sibling && child->next_sibling->previous_sibling != child))
      return false;
  if (entry->open && (entry->open != acre_handle_of(entry) || entry->state != ACRE_STATE_LIVE ||
                      !entry->owner || entry->bytes_limit != SIZE_MAX))
    return false;
  return entry->signature == ACRE_REGION_SIGNATURE && acre_registry_at(entry->index) == entry &&
         entry->count >= 0 && children == entry->child_count &&
         entry->begin.label < entry->end.label;
}
