/* SPDX-License-Identifier: MIT */
/* registry.h - the region table: regions by index, and the handles that name them.  Internal to the
 * runtime.
 *
 * A handle has bit 63 set, the generation in bits 32-62 and the index in bits 0-31; it is no
 * address.  Invariant: an entry in state LIVE or DEFERRED has the signature, and a handle names it
 * exactly if their generations are equal.  Releasing an entry advances its generation, so no handle
 * ever names a later occupant; an entry whose generations are used up is retired.  Free entries are
 * reused in the order in which they became free, which keeps the names of the dead available for
 * messages as long as possible.
 *
 * Life of an entry:  FREE -> LIVE -> (DEFERRED ->) FREE or RETIRED.  Entries never move and are
 * never unmapped.
 */
#ifndef ACRE_RUNTIME_COUNTING_REGISTRY_H
#define ACRE_RUNTIME_COUNTING_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/abi.h>
#include <acre/region.h>

#include "counting/object.h"
#include "memory/order.h"
#include "platform/atomic.h"
#include "platform/check.h"

#define ACRE_INDEX_TRADITIONAL 0u
#define ACRE_INDEX_PERMANENT ((uint32_t)ACRE_UNCOUNTED_REGION)
#define ACRE_INDEX_BITS 24
#define ACRE_INDEX_LIMIT ((uint32_t)1 << ACRE_INDEX_BITS)
#define ACRE_GENERATION_MAX (((uint32_t)1 << 31) - 1)
#define ACRE_REGION_SIGNATURE 0x41637265u /* "Acre" */

#define ACRE_CHUNK_SHIFT 10
#define ACRE_CHUNK_SIZE ((uint32_t)1 << ACRE_CHUNK_SHIFT)

enum acre_region_state {
  ACRE_STATE_FREE = 0,
  ACRE_STATE_LIVE,
  ACRE_STATE_DEFERRED, /* deleted by the program; goes when nothing points in */
  ACRE_STATE_RETIRED
};

#define ACRE_POLICY_DEFAULT 0xff
/* The owner of regions that are closed (give.h), of an arena or given away: no thread has this
 * number. */
#define ACRE_OWNER_CLOSED UINT32_MAX

struct acre_condemned;

/* Its place in the set of regions that a delete is about (region/condemned.h). */
struct acre_condemned_member {
  struct acre_region_entry *next;
  int64_t tally;                    /* references to it that are not in its way */
  const struct acre_condemned *set; /* null: in none */
  bool stays;                       /* by the search of frames (region/reach.h), or of referrers */
  struct acre_region_entry *next_staying;
  bool is_reached; /* by the search that runs, in a stopped world */
  struct acre_region_entry *next_reached;
};

struct acre_region_entry {
  uint32_t signature; /* set last, cleared first */
  uint32_t index;
  uint32_t generation;
  uint32_t owner; /* acre_thread.id; 0: any.  Others than the owner read it by acre_region_owner */
  uint8_t state;
  uint8_t policy; /* acre_delete_policy or ACRE_POLICY_DEFAULT */
  bool is_owning; /* its objects may own something */
  bool is_zombie; /* deferred, because frames or what is not to be changed refer to it (zombie.h) */
  bool is_bound;  /* a block or a key ends it (scope.h): it is neither moved nor given away */
  bool is_referring;  /* false: none of its slots has had a record.  Atomic */
  bool is_pool;       /* has the memory of a pool (region/pool.c), now or before */
  bool is_ending;     /* a function that ends or clears its pool is running.  Atomic */
  bool is_noted;      /* a pool's: its owner may remember relations of it (relation.h) */
  bool is_remembered; /* and another thread owns it now, so its index is never used again */
  uint32_t ending_at; /* where that pool is in acre_thread.pools, if its region is there.  Atomic */
  acre_region former; /* of a zombie that was cleared: the region that it was moved out of */
  acre_region
      open; /* its handle while its thread may allocate in it without further tests, or null */

  /* Its owner's acre_rt_pins.regions when it was made: pins with a smaller number are older than
     the region.  0 if another thread has owned it: no pin is known to be older. */
  uintptr_t number;
  int64_t count;
  uint64_t areas; /* where slots with records that name it may lie (record.h).  Atomic */
  struct acre_allocator normal, pointer_free;
  size_t bytes_limit; /* SIZE_MAX if none */
  size_t pages;

  struct acre_region_entry *root, *parent, *first_child, *next_sibling, *previous_sibling;
  size_t child_count;
  struct acre_order_node begin, end;

  void *anchor;                        /* acre_region_root's, or null */
  const void *pool;                    /* whose memory it has, or null.  Atomic */
  size_t pool_size;                    /* of that object, in bytes; 0 if it is not known */
  size_t given_back, given_back_limit; /* bytes of marked objects (region/given_back.h) */
  const char *name;                    /* in the region's own memory, or null */
  const char *created_here;
  const char *given_here; /* where a thread gave it away last, or null */
  /* The last occupant, for messages about its handle. */
  const char *dead_created_here, *dead_deleted_here;

  struct acre_region_entry *next; /* in the free queue or the deferred list */
  struct acre_condemned_member condemned;
};

extern struct acre_region_entry *acre_region_chunks[ACRE_INDEX_LIMIT >> ACRE_CHUNK_SHIFT];

/* One past the highest index ever used. */
uint32_t acre_registry_limit(void);

/* The entry of an index.  Needs one that is in use, as those of the page map, of records and of
 * handles that were checked.  O(1). */
static inline struct acre_region_entry *acre_registry_at(uint32_t index) {
  ACRE_ASSERT(index < acre_registry_limit());
  struct acre_region_entry *chunk =
      __atomic_load_n(&acre_region_chunks[index >> ACRE_CHUNK_SHIFT], __ATOMIC_ACQUIRE);
  return &chunk[index & (ACRE_CHUNK_SIZE - 1)];
}

/* The thread that region belongs to, also while that may be changing. */
static inline uint32_t acre_region_owner(const struct acre_region_entry *region) {
  return __atomic_load_n(&region->owner, __ATOMIC_RELAXED);
}

/* The set that region is in, or null.  That of another thread's region may change at any time. */
static inline const struct acre_condemned *
acre_condemned_set_of(const struct acre_region_entry *region) {
  return __atomic_load_n(&region->condemned.set, __ATOMIC_RELAXED);
}
/* Is region in a set that the calling thread is deleting? */
bool acre_registry_is_condemned(const struct acre_region_entry *region);
/* Region is in no set any more. */
static inline void acre_condemned_forget(struct acre_region_entry *region) {
  __atomic_store_n(&region->condemned.set, NULL, __ATOMIC_RELAXED);
  region->condemned.next = NULL;
  region->condemned.tally = 0;
  region->condemned.stays = false;
  region->condemned.next_staying = NULL;
}

static inline acre_region acre_handle_of(const struct acre_region_entry *entry) {
  return (acre_region)(((uintptr_t)1 << 63) | (uintptr_t)entry->generation << 32 | entry->index);
}

/* Allocated since the region was created: how many objects, and the bytes asked for. */
static inline size_t acre_region_objects(const struct acre_region_entry *region) {
  return acre_allocator_objects(&region->normal) + acre_allocator_objects(&region->pointer_free);
}
static inline size_t acre_region_bytes(const struct acre_region_entry *region) {
  return acre_allocator_bytes(&region->normal) + acre_allocator_bytes(&region->pointer_free);
}

/* acre_rt_current names a region of the calling thread that is open, or none.  To be called when
   the one that handle names is not open any more. */
void acre_registry_drop_current(acre_region handle);
/* Whether the region is live, has an owner and no limit of bytes may have changed: sets `open`. */
void acre_registry_update_open(struct acre_region_entry *region);

/* Makes the traditional and the permanent region.  False when memory is out. */
bool acre_registry_start(void);
/* The same; without memory the program ends. */
void acre_registry_expect_start(void);
/* A free entry, made live without links, memory or count; null when memory or indices are out. */
struct acre_region_entry *acre_registry_acquire(const char *here);
/* The region is gone.  Needs that no record, pin, child, relative or page names it. */
void acre_registry_release(struct acre_region_entry *entry, const char *here);
/* What handle names if it is alive, else null.  Never fails: any bit pattern may be asked about. */
struct acre_region_entry *acre_registry_find(acre_region handle);
/* The same for function: null, dead and foreign handles end the program with a message that says
 * what they were. */
struct acre_region_entry *acre_registry_expect(acre_region handle, const char *function);
/* The same, where it is known where the program called function. */
struct acre_region_entry *acre_registry_expect_at(acre_region handle, const char *function,
                                                  const char *here);
/* The same, and for a region that is deferred or belongs to another thread. */
struct acre_region_entry *acre_registry_expect_own(acre_region handle, const char *function);
/* The same, where it is known where the program called function: here is FILE:LINE, site that of an
   allocation; either may be null. */
struct acre_region_entry *acre_registry_expect_own_at(acre_region handle, const char *function,
                                                      const char *here, const acre_site *site);

/* From now on there may be records without regions: of slots that hold what no store counts
   (escaped_locals.h).  Memory that is given back has none, but stores do not look.  Starts the
   registry. */
void acre_registry_expect_records(void);
extern bool acre_registry_expects_records;
/* How many zombies there are has changed by this. */
void acre_registry_count_zombies(int more);
bool acre_registry_has_zombies(void);
size_t acre_registry_live_count(void); /* the traditional and permanent regions not counted */
size_t acre_registry_created_count(void);
/* The region after region in the tree of root, which is the first: each comes before those below
 * it.  Null after the last. */
struct acre_region_entry *acre_registry_next_below(const struct acre_region_entry *root,
                                                   struct acre_region_entry *region);
/* entry is sound by itself: signature, state, count, links to its relatives. */
bool acre_registry_check_entry(const struct acre_region_entry *entry);

/* For fork handlers. */
void acre_registry_lock(void);
/* Needs the lock. */
void acre_registry_unlock(void);

/* For tests of what happens when generations run out: makes handle invalid, the region has the new
 * generation. */
void acre_registry_set_generation(acre_region handle, uint32_t generation);

#endif
