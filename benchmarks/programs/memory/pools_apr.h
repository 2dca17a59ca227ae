/* SPDX-License-Identifier: MIT */
/* pools_apr.h - the binding of regions to APR: a region is a pool, a subregion a pool in it.  For
 * memory.c.
 *
 * APR does not know the pool of an object, nor its size: a header of 16 bytes before each says
 * them. */
#include <apr_pools.h>

struct header {
  apr_pool_t *pool;
  size_t size; /* of the object */
};
_Static_assert(sizeof(struct header) == 16,
               "the object behind it must be aligned as malloc aligns");

region memory_region_new(region parent) {
  apr_pool_t *pool = NULL;
  if (apr_pool_create(&pool, (apr_pool_t *)parent) != APR_SUCCESS)
    fail("out of memory");
  return (region)pool;
}

bool memory_region_delete(region r) {
  apr_pool_destroy((apr_pool_t *)r);
  return true;
}

static region parent_of(region r) { return (region)apr_pool_parent_get((apr_pool_t *)r); }

region memory_region_of(const void *object) {
  return object ? (region)((const struct header *)object - 1)->pool : NULL;
}

/* apr_palloc aligns to 8 bytes. */
void *memory_region_alloc(region r, size_t count, size_t size) {
  size_t bytes = bytes_of(count, size);
  char *start = check(apr_pcalloc((apr_pool_t *)r, bytes + sizeof(struct header) + 8));
  struct header *header = (struct header *)(((uintptr_t)start + 8) & ~(uintptr_t)15);
  *header = (struct header){(apr_pool_t *)r, bytes};
  return header + 1;
}

/* The old array stays until the region goes. */
void *memory_region_extend(region r, void *old, size_t count, size_t size) {
  size_t bytes = bytes_of(count, size), old_bytes = old ? ((struct header *)old - 1)->size : 0;
  void *array = memory_region_alloc(r, count, size);
  return old ? memcpy(array, old, old_bytes < bytes ? old_bytes : bytes) : array;
}

static void start_pools(void) {
  if (apr_initialize() != APR_SUCCESS)
    fail("APR does not start");
}
