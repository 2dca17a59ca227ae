/* SPDX-License-Identifier: MIT */
/* pool_table.h - which region has the memory of a pool: by the pool's address.  Internal to the
 * runtime.
 *
 * A pool is an object of the program's own allocator, known by its address alone.  Invariant: an
 * address is in the table exactly if the `pool` of one live region is that address.  One thread at
 * a time changes the table; all read it without a lock.
 */
#ifndef ACRE_RUNTIME_REGION_POOL_TABLE_H
#define ACRE_RUNTIME_REGION_POOL_TABLE_H

#include <stdbool.h>

struct acre_region_entry;

/* The region of pool, or null.  O(1). */
struct acre_region_entry *acre_pool_find(const void *pool);
/* pool's memory is in region from now on.  False if there is no memory for the table.  Needs pool
 * not to be in it.  O(1) amortised. */
bool acre_pool_enter(const void *pool, struct acre_region_entry *region);
/* region is that of pool no more, and what the pool's object holds is nobody's: the allocator may
 * keep its memory for another.  Does nothing if it is not now.  O(1 + size of the object). */
void acre_pool_leave(const void *pool, struct acre_region_entry *region);

/* For fork handlers. */
void acre_pools_lock(void);
/* Needs the lock. */
void acre_pools_unlock(void);

#endif
