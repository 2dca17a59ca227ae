/* SPDX-License-Identifier: MIT */
/* memory.c - what memory.h needs in each mode.
 *
 * The emulation of regions (MEMORY_MALLOC): each object is one malloc block that begins with a
 * header of 16 bytes. Invariant: an object is in the list of the region whose index its header
 * holds, and regions.of_index[index] is that region, or null if the index is free.  With
 * MEMORY_COLLECTED there is no header, and all regions are one.
 */
#ifdef MEMORY_APR
#define _GNU_SOURCE /* APR's headers name off64_t */
#endif
#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(MEMORY_MALLOC) && !defined(MEMORY_COLLECTED) && !defined(MEMORY_POOLS)

static void print_stats(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  fprintf(stderr, "regions=%zu objects=%zu bytes=%zu peak=%zu counted=%zu checked=%zu\n",
          stats.regions_created, stats.objects, stats.bytes_requested, stats.bytes_peak,
          stats.stores_counted, stats.stores_checked);
}

void memory_start(void) {
  if (getenv("MEMORY_STATS"))
    atexit(print_stats);
}

#else

_Noreturn static void fail(const char *message) {
  fprintf(stderr, "memory: %s\n", message);
  abort();
}

static size_t bytes_of(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    fail("the size of an array overflows");
  return bytes;
}

static void *check(void *p) {
  if (!p)
    fail("out of memory");
  return p;
}

char *memory_region_strdup(region r, const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(memory_region_alloc_pointerfree(r, size, 1), string, size);
}

void *memory_region_copy(region r, const void *from, size_t count, size_t size) {
  void *copy = memory_region_alloc(r, count, size);
  return count ? memcpy(copy, from, bytes_of(count, size)) : copy;
}

bool memory_region_delete_ptr(region *r) {
  region gone = *r;
  *r = NULL;
  return memory_region_delete(gone);
}

#endif

#ifdef MEMORY_MALLOC

enum { SMALL_BLOCK = 1024 };

struct header {
  struct header *next;
  uint32_t region_index;
  uint32_t size; /* of the object */
};
_Static_assert(sizeof(struct header) == 16,
               "the object behind it must be aligned as malloc aligns");

struct memory_region {
  struct header *objects;
  struct memory_region *parent;
  uint32_t index;
  uint32_t subregion_count;
};

/* Not inlined: the compiler would make calloc of malloc and memset. */
__attribute__((noinline)) static void *allocate(size_t bytes) {
  return check(malloc(bytes ? bytes : 1));
}

/* glibc's calloc passes by the cache of small blocks that malloc has for each thread (before
   version 2.41), and what is compared here is malloc.  Large blocks may come from the system,
   cleared. */
static void *allocate_zeroed(size_t bytes) {
  return bytes <= SMALL_BLOCK ? memset(allocate(bytes), 0, bytes) : check(calloc(1, bytes));
}

static struct {
  struct memory_region **of_index;
  uint32_t *free_indices;
  uint32_t count, capacity, free_count;
} regions;

static uint32_t take_index(void) {
  if (regions.free_count > 0)
    return regions.free_indices[--regions.free_count];
  if (regions.count == regions.capacity) {
    regions.capacity = regions.capacity ? 2 * regions.capacity : 64;
    regions.of_index =
        check(realloc(regions.of_index, regions.capacity * sizeof *regions.of_index));
    regions.free_indices =
        check(realloc(regions.free_indices, regions.capacity * sizeof *regions.free_indices));
  }
  return regions.count++;
}

region memory_region_new(region parent) {
  region r = check(calloc(1, sizeof *r));
  r->parent = parent;
  r->index = take_index();
  regions.of_index[r->index] = r;
  if (parent)
    parent->subregion_count++;
  return r;
}

bool memory_region_delete(region r) {
  if (r->subregion_count > 0)
    fail("a region is deleted before its subregions");
  for (struct header *object = r->objects, *next; object; object = next) {
    next = object->next;
    free(object);
  }
  if (r->parent)
    r->parent->subregion_count--;
  regions.of_index[r->index] = NULL;
  regions.free_indices[regions.free_count++] = r->index;
  free(r);
  return true;
}

static region parent_of(region r) { return r->parent; }

region memory_region_of(const void *object) {
  return object ? regions.of_index[((const struct header *)object - 1)->region_index] : NULL;
}

region memory_region_permanent(void) {
  static region permanent;
  if (!permanent)
    permanent = memory_region_new(NULL);
  return permanent;
}

void *memory_region_alloc(region r, size_t count, size_t size) {
  size_t bytes = bytes_of(count, size);
  if (bytes > UINT32_MAX - sizeof(struct header))
    fail("an object of 4 GiB or more");
  struct header *object = allocate_zeroed(sizeof *object + bytes);
  *object = (struct header){r->objects, r->index, (uint32_t)bytes};
  r->objects = object;
  return object + 1;
}

void *memory_region_alloc_pointerfree(region r, size_t count, size_t size) {
  return memory_region_alloc(r, count, size);
}

/* The old array stays until the region goes, as it does in Acre. */
void *memory_region_extend(region r, void *old, size_t count, size_t size) {
  void *array = memory_region_alloc(r, count, size);
  if (old) {
    size_t old_bytes = ((struct header *)old - 1)->size, bytes = bytes_of(count, size);
    memcpy(array, old, old_bytes < bytes ? old_bytes : bytes);
  }
  return array;
}

void *memory_region_extend_pointerfree(region r, void *old, size_t count, size_t size) {
  return memory_region_extend(r, old, count, size);
}

void *memory_new(size_t count, size_t size) { return allocate_zeroed(bytes_of(count, size)); }

void *memory_new_numbers(size_t count, size_t size) { return allocate(bytes_of(count, size)); }

void *memory_grow(void *old, size_t count, size_t size) {
  size_t bytes = bytes_of(count, size);
  return check(realloc(old, bytes ? bytes : 1));
}

void memory_start(void) {}

#endif

#ifdef MEMORY_TALLOC
#include "pools_talloc.h"
#endif
#ifdef MEMORY_APR
#include "pools_apr.h"
#endif

#ifdef MEMORY_POOLS

region memory_region_permanent(void) {
  static region permanent;
  if (!permanent)
    permanent = memory_region_new(NULL);
  return permanent;
}

void *memory_region_alloc_pointerfree(region r, size_t count, size_t size) {
  return memory_region_alloc(r, count, size);
}

void *memory_region_extend_pointerfree(region r, void *old, size_t count, size_t size) {
  return memory_region_extend(r, old, count, size);
}

void memory_start(void) { start_pools(); }

#endif

#if defined(MEMORY_MALLOC) || defined(MEMORY_POOLS)

static bool is_subregion(region r, region ancestor) {
  for (r = parent_of(r); r; r = parent_of(r))
    if (r == ancestor)
      return true;
  return false;
}

/* Children go before their parents, whatever the order in the array. */
bool memory_region_delete_array(size_t count, region *rs) {
  for (size_t left = count; left > 0; left--) {
    size_t last = 0;
    while (!rs[last])
      last++;
    for (size_t i = last + 1; i < count; i++)
      if (rs[i] && is_subregion(rs[i], rs[last]))
        last = i;
    memory_region_delete_ptr(&rs[last]);
  }
  return true;
}

#endif

#ifdef MEMORY_COLLECTED

#include <gc.h>

struct memory_region {
  char unused;
};
static struct memory_region the_region;

region memory_region_new(region parent) { return parent ? parent : &the_region; }

bool memory_region_delete(region r) { return r != NULL; }

bool memory_region_delete_array(size_t count, region *rs) {
  memset(rs, 0, count * sizeof *rs);
  return true;
}

region memory_region_of(const void *object) { return object ? &the_region : NULL; }

region memory_region_permanent(void) { return &the_region; }

void *memory_new(size_t count, size_t size) { return check(GC_MALLOC(bytes_of(count, size))); }

void *memory_new_numbers(size_t count, size_t size) {
  return check(GC_MALLOC_ATOMIC(bytes_of(count, size)));
}

void *memory_grow(void *old, size_t count, size_t size) {
  return check(GC_REALLOC(old, bytes_of(count, size)));
}

void *memory_region_alloc(region r, size_t count, size_t size) {
  (void)r;
  return memory_new(count, size);
}

/* All of the block is cleared: what extends it copies all of the block. */
void *memory_region_alloc_pointerfree(region r, size_t count, size_t size) {
  (void)r;
  void *array = memory_new_numbers(count, size);
  return memset(array, 0, GC_size(array));
}

static void *copy_old(void *array, const void *old, size_t bytes) {
  size_t old_bytes = old ? GC_size(old) : 0;
  return old ? memcpy(array, old, old_bytes < bytes ? old_bytes : bytes) : array;
}

void *memory_region_extend(region r, void *old, size_t count, size_t size) {
  return copy_old(memory_region_alloc(r, count, size), old, bytes_of(count, size));
}

void *memory_region_extend_pointerfree(region r, void *old, size_t count, size_t size) {
  return copy_old(memory_region_alloc_pointerfree(r, count, size), old, bytes_of(count, size));
}

static void print_stats(void) {
  fprintf(stderr, "bytes=%zu heap=%zu collections=%zu\n", (size_t)GC_get_total_bytes(),
          (size_t)GC_get_heap_size(), (size_t)GC_get_gc_no());
}

void memory_start(void) {
  GC_INIT();
  if (getenv("MEMORY_STATS"))
    atexit(print_stats);
}

#endif
