/* SPDX-License-Identifier: MIT */
/* pool_table.c - see pool_table.h.  Open addressing, where what is taken out leaves no mark: what
 * comes behind it moves up.  Who looks a pool up takes no lock; so a place names no pool while its
 * region changes, and what is not found is looked for again with the lock. */
#include "region/pool_table.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "platform/check.h"
#include "platform/os.h"

struct place {
  const void *pool;                 /* null: empty */
  struct acre_region_entry *region; /* of pool, whenever that is the same before and after */
};

/* A table that is half full is replaced by one of twice the size, and stays, because other threads
   may be reading it.  So all that were left take as much as the one in use. */
struct table {
  size_t mask, used;
  struct place places[];
};

#define FIRST_SIZE ((size_t)1 << 8)

static const char changing; /* a place's pool while its region is written */
static struct table *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void acre_pools_lock(void) { pthread_mutex_lock(&lock); }
void acre_pools_unlock(void) {
  ACRE_ASSERT(acre_is_locked(&lock));
  pthread_mutex_unlock(&lock);
}

/* Pools are aligned, and often as far apart as the blocks that they lie in. */
static size_t hash_of(const void *pool) {
  return (size_t)(((uintptr_t)pool >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 24);
}

/* The place of pool; null if table has none. */
static struct place *find_in(struct table *table, const void *pool) {
  for (size_t i = hash_of(pool);; i++) {
    struct place *place = &table->places[i & table->mask];
    const void *held = __atomic_load_n(&place->pool, __ATOMIC_ACQUIRE);
    if (held == pool)
      return place;
    if (!held)
      return NULL;
  }
}

static void fill(struct place *place, const void *pool, struct acre_region_entry *region) {
  __atomic_store_n(&place->pool, &changing, __ATOMIC_RELAXED);
  __atomic_store_n(&place->region, region, __ATOMIC_RELEASE);
  __atomic_store_n(&place->pool, pool, __ATOMIC_RELEASE);
}

/* Needs table to have an empty place. */
static void put(struct table *table, const void *pool, struct acre_region_entry *region) {
  size_t i = hash_of(pool);
  while (table->places[i & table->mask].pool)
    i++;
  fill(&table->places[i & table->mask], pool, region);
  table->used++;
}

/* What comes behind hole, and would be looked for from there or from before, moves up. */
static void take_out(struct table *table, struct place *hole) {
  size_t empty = (size_t)(hole - table->places);
  for (size_t i = empty + 1; table->places[i & table->mask].pool; i++) {
    const struct place *place = &table->places[i & table->mask];
    if (((i - hash_of(place->pool)) & table->mask) < ((i - empty) & table->mask))
      continue;
    fill(&table->places[empty & table->mask], place->pool, place->region);
    empty = i;
  }
  __atomic_store_n(&table->places[empty & table->mask].pool, NULL, __ATOMIC_RELEASE);
  table->used--;
}

/* A table of size places with what is in the current one; null when memory is out. */
static struct table *make_table(size_t size) {
  struct table *fresh = acre_os_table(sizeof *fresh + size * sizeof *fresh->places);
  if (!fresh)
    return NULL;
  fresh->mask = size - 1;
  for (size_t i = 0; current && i <= current->mask; i++)
    if (current->places[i].pool)
      put(fresh, current->places[i].pool, current->places[i].region);
  return fresh;
}

/* The current table has room for another entry: at most half of it is in use.  Needs the lock. */
static bool make_room(void) {
  if (current && current->used * 2 <= current->mask)
    return true;
  struct table *fresh = make_table(current ? (current->mask + 1) * 2 : FIRST_SIZE);
  if (fresh)
    __atomic_store_n(&current, fresh, __ATOMIC_RELEASE);
  return fresh;
}

static struct acre_region_entry *find(const void *pool) {
  struct table *table = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
  struct place *place = table ? find_in(table, pool) : NULL;
  if (!place)
    return NULL;
  struct acre_region_entry *region = __atomic_load_n(&place->region, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&place->pool, __ATOMIC_RELAXED) == pool ? region : NULL;
}

/* What another thread enters or moves meanwhile may not be seen: so what is not found is looked for
   again with the lock. */
struct acre_region_entry *acre_pool_find(const void *pool) {
  struct acre_region_entry *region = pool ? find(pool) : NULL;
  if (__builtin_expect(region != NULL, 1) || !pool || !__atomic_load_n(&current, __ATOMIC_RELAXED))
    return region;
  const bool is_locked = acre_lock(&lock);
  region = find(pool);
  acre_unlock(&lock, is_locked);
  return region;
}

bool acre_pool_enter(const void *pool, struct acre_region_entry *region) {
  ACRE_ASSERT(pool && !region->pool && !acre_pool_find(pool));
  const bool is_locked = acre_lock(&lock);
  const bool is_room = make_room();
  if (is_room) {
    put(current, pool, region);
    __atomic_store_n(&region->pool, pool, __ATOMIC_RELAXED);
  }
  acre_unlock(&lock, is_locked);
  return is_room;
}

/* With the lock: another thread may be making a pool at the same address, and its records come
   later. */
static void forget_object(const struct acre_region_entry *region) {
  const uintptr_t start = (uintptr_t)region->pool;
  if (region->pool_size)
    acre_record_release(start, start + region->pool_size);
}

void acre_pool_leave(const void *pool, struct acre_region_entry *region) {
  if (!pool)
    return;
  const bool is_locked = acre_lock(&lock);
  if (region->pool == pool) {
    struct place *place = find_in(current, pool);
    ACRE_ASSERT(place && place->region == region);
    forget_object(region);
    take_out(current, place);
    __atomic_store_n(&region->pool, NULL, __ATOMIC_RELAXED);
  }
  acre_unlock(&lock, is_locked);
}
