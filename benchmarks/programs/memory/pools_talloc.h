/* SPDX-License-Identifier: MIT */
/* pools_talloc.h - the binding of regions to talloc: a region is a context, a subregion one in it.
 * For memory.c. */
#include <talloc.h>

region memory_region_new(region parent) { return check(talloc_new(parent)); }

bool memory_region_delete(region r) { return talloc_free(r) == 0; }

static region parent_of(region r) { return talloc_parent(r); }

region memory_region_of(const void *object) { return object ? talloc_parent(object) : NULL; }

void *memory_region_alloc(region r, size_t count, size_t size) {
  return check(talloc_zero_size(r, bytes_of(count, size)));
}

void *memory_region_extend(region r, void *old, size_t count, size_t size) {
  size_t bytes = bytes_of(count, size), old_bytes = old ? talloc_get_size(old) : 0;
  char *array = check(talloc_realloc_size(r, old, bytes ? bytes : 1));
  if (bytes > old_bytes)
    memset(array + old_bytes, 0, bytes - old_bytes);
  return array;
}

static void start_pools(void) {}
