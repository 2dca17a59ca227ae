/* SPDX-License-Identifier: MIT */
/* allocate.c - allocation in regions, and what happens when memory is out. */
#include <acre/region.h>

#include <stdlib.h>
#include <string.h>

#include "counting/describe.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "evidence/snapshot.h"
#include "memory/descriptor.h"
#include "memory/pages.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/allocate.h"

static acre_oom_handler oom_handler;

acre_oom_handler acre_set_oom_handler(acre_oom_handler handler) {
  return __atomic_exchange_n(&oom_handler, handler, __ATOMIC_ACQ_REL);
}

/* Returns if the handler says that trying again makes sense. */
void acre_out_of_memory(size_t bytes, const struct acre_region_entry *region) {
  acre_oom_handler handler = __atomic_load_n(&oom_handler, __ATOMIC_ACQUIRE);
  if (handler && handler(bytes))
    return;
  acre_os_print(2, "acre: fatal: out of memory: %zu bytes ", bytes);
  if (region) {
    acre_os_print(2, "in ");
    acre_print_region(2, region);
    if (region->bytes_limit != SIZE_MAX)
      acre_os_print(2, ", whose limit is %zu bytes and which has %zu", region->bytes_limit,
                    acre_region_bytes(region));
  } else {
    acre_os_print(2, "for the region table");
  }
  acre_os_print(2, "\n");
  abort();
}

/* -- One object -------------------------------------------------------------------------------- */

/* The region has to look at its objects when it goes.  Allocation in line is not for such types. */
static inline void note_owning(acre_region handle, const acre_site *site, const char *function) {
  if (__builtin_expect(acre_site_owned(site) != NULL, 0))
    acre_registry_expect_own_at(handle, function, NULL, site)->is_owning = true;
}

static bool is_within_limit(const struct acre_region_entry *region, size_t more) {
  return region->bytes_limit == SIZE_MAX ||
         (more <= region->bytes_limit && acre_region_bytes(region) <= region->bytes_limit - more);
}

/* The permanent region is everybody's; all others are their thread's. */
static void lock_if_shared(const struct acre_region_entry *region) {
  if (__builtin_expect(region->owner == 0, 0))
    acre_registry_lock();
}
static void unlock_if_shared(const struct acre_region_entry *region) {
  if (__builtin_expect(region->owner == 0, 0))
    acre_registry_unlock();
}

static void *try_alloc(struct acre_region_entry *region, struct acre_allocator *allocator,
                       size_t size, size_t align, const acre_site *site) {
  void *start = NULL;
  lock_if_shared(region);
  if (__builtin_expect(is_within_limit(region, size), 1))
    start = acre_object_alloc(region, allocator, size ? size : 1, align, site);
  if (__builtin_expect(start != NULL, 1)) {
    allocator->objects++;
    allocator->bytes_requested += size;
  }
  unlock_if_shared(region);
  return start;
}

static void *alloc(struct acre_region_entry *region, struct acre_allocator *allocator, size_t size,
                   size_t align, const acre_site *site) {
  void *start;
  while (__builtin_expect(!(start = try_alloc(region, allocator, size, align, site)), 0))
    acre_out_of_memory(size, region);
  return start;
}

static void expect_align(size_t align, const char *function) {
  if (__builtin_expect(align == 0 || (align & (align - 1)) != 0, 0))
    acre_os_fatal("%s: alignment %zu is not a power of two", function, align);
}

/* -- As in line -------------------------------------------------------------------------------- */

/* Makes handle's region the one whose allocations are done in line, if it is open to the calling
 * thread. */
static inline bool make_current(acre_region handle) {
  uint32_t index = (uint32_t)(uintptr_t)handle & (ACRE_INDEX_LIMIT - 1);
  struct acre_region_entry *chunk =
      __atomic_load_n(&acre_region_chunks[index >> ACRE_CHUNK_SHIFT], __ATOMIC_ACQUIRE);
  if (__builtin_expect(!handle || !chunk, 0))
    return false;
  struct acre_region_entry *region = &chunk[index & (ACRE_CHUNK_SIZE - 1)];
  if (__builtin_expect(region->open != handle || region->owner != acre_self.id, 0))
    return false;
  acre_rt_current = (acre_rt_allocating){handle, &region->normal.bump, &region->pointer_free.bump};
  return true;
}

static inline bool is_small(size_t size, size_t align) {
  return size - 1 < ACRE_OBJECT_LARGE && align - 1 < 16 && (align & (align - 1)) == 0;
}

static inline acre_rt_bump *current_bump(bool is_pointer_free) {
  return is_pointer_free ? acre_rt_current.pointer_free : acre_rt_current.normal;
}

static inline void *take(acre_rt_bump *bump, size_t size, size_t align, const acre_site *site) {
  void *start = acre_bump_take(bump, size, align, site);
  if (__builtin_expect(start != NULL, 1))
    bump->tally += ACRE_BUMP_ONE + size;
  return start;
}

/* What bump.h says, for callers whose region was not the current one, and for those who call. Null:
 * it takes more. */
static inline void *alloc_current(acre_region handle, bool is_pointer_free, size_t size,
                                  size_t align, const acre_site *site) {
  if (__builtin_expect(!is_small(size, align), 0) ||
      (handle != acre_rt_current.region && !make_current(handle)))
    return NULL;
  return take(current_bump(is_pointer_free), size, align, site);
}

/* -- Objects ----------------------------------------------------------------------------------- */

/* Another block, or all that is unusual.  A snapshot that was asked for is taken here. */
__attribute__((noinline)) static void *alloc_elsewhere(acre_region handle, bool is_pointer_free,
                                                       size_t size, size_t align,
                                                       const acre_site *site,
                                                       const char *function) {
  acre_snapshot_poll();
  struct acre_region_entry *region = acre_registry_expect_own_at(handle, function, NULL, site);
  expect_align(align, function);
  return alloc(region, is_pointer_free ? &region->pointer_free : &region->normal, size, align,
               site);
}

/* What takes more: most often, that the next piece of the block be cleared.  Not inline: the way to
 * it stays short. */
__attribute__((noinline)) static void *alloc_slow(acre_region handle, bool is_pointer_free,
                                                  size_t size, size_t align, const acre_site *site,
                                                  const char *function) {
  if (handle && handle == acre_rt_current.region && is_small(size, align)) {
    acre_rt_bump *bump = current_bump(is_pointer_free);
    if (acre_object_make_room((struct acre_allocator *)bump, size))
      return take(bump, size, align, site);
  }
  return alloc_elsewhere(handle, is_pointer_free, size, align, site, function);
}

static inline void *alloc_any(acre_region handle, bool is_pointer_free, size_t size, size_t align,
                              const acre_site *site, const char *function) {
  void *start = alloc_current(handle, is_pointer_free, size, align, site);
  return __builtin_expect(start != NULL, 1)
             ? start
             : alloc_slow(handle, is_pointer_free, size, align, site, function);
}

void *acre_region_alloc(acre_region handle, size_t size, size_t align, const acre_site *site) {
  note_owning(handle, site, "ralloc");
  return alloc_any(handle, acre_site_has_no_pointers(site), size, align, site, "ralloc");
}

/* -- Arrays ------------------------------------------------------------------------------------ */

/* count * size, or, when that overflows, more than any object can have. */
static size_t array_bytes(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

void *acre_region_alloc_array(acre_region handle, size_t count, size_t size, size_t align,
                              const acre_site *site) {
  note_owning(handle, site, "rarrayalloc");
  return alloc_any(handle, acre_site_has_no_pointers(site), array_bytes(count, size), align, site,
                   "rarrayalloc");
}

/* Makes the records of a copy agree with it. */
static void rescan(void *start, size_t bytes, const acre_site *site) {
  if (!site || !site->type)
    acre_rt_rescan(start, bytes);
  else if (site->type->slot_count)
    acre_rt_rescan_typed(start, bytes, site->type, NULL);
}

static bool resize_in_place(struct acre_region_entry *region, struct acre_object *object,
                            size_t size, size_t align) {
  size_t grown = size > object->size ? size - object->size : 0;
  lock_if_shared(region);
  bool is_done = is_within_limit(region, grown) && ((uintptr_t)object->start & (align - 1)) == 0 &&
                 acre_object_resize(region, acre_object_allocator(object->start), object, size);
  if (is_done)
    acre_object_allocator(object->start)->bytes_requested += grown;
  unlock_if_shared(region);
  return is_done;
}

static void *extend(struct acre_region_entry *region, void *old, size_t bytes, size_t align,
                    const acre_site *site, const char *function) {
  lock_if_shared(region);
  struct acre_object object = acre_object_at(old);
  unlock_if_shared(region);
  if (!object.size || acre_page_owner(old) != region->index)
    acre_os_fatal("%s: %p is not an object of the region", function, old);
  struct acre_allocator *allocator = acre_object_allocator(old);
  size_t payload = bytes ? bytes : 1, kept = object.size < payload ? object.size : payload;
  if (resize_in_place(region, &object, payload, align))
    return old;
  site = site ? site : object.site;
  void *fresh = alloc(region, allocator, bytes, align, site);
  memcpy(fresh, old, kept);
  /* The copy is in the same region and holds the same pointers: what was right of the old array is
     right of it.  What that points to must not stay counted by memory that is out of use. */
  acre_record_copy((uintptr_t)old, (uintptr_t)fresh, kept);
  acre_record_release((uintptr_t)old, (uintptr_t)old + object.size);
  memset(old, 0, object.size);
  return fresh;
}

void *acre_region_extend_array(acre_region handle, void *old, size_t count, size_t size,
                               size_t align, const acre_site *site) {
  if (!old)
    return acre_region_alloc_array(handle, count, size, align, site);
  struct acre_region_entry *region =
      acre_registry_expect_own_at(handle, "rarrayextend", NULL, site);
  note_owning(handle, site, "rarrayextend");
  expect_align(align, "rarrayextend");
  return extend(region, old, array_bytes(count, size), align, site, "rarrayextend");
}

void *acre_region_copy_array(acre_region handle, const void *from, size_t count, size_t size,
                             size_t align, const acre_site *site) {
  if (acre_site_owned(site))
    acre_os_fatal("rarraycopy: objects of type %s own others, which two would own then",
                  site->type->name);
  void *start = acre_region_alloc_array(handle, count, size, align, site);
  if (count && size) {
    memcpy(start, from, count * size);
    rescan(start, count * size, site);
  }
  return start;
}

/* -- Bytes ------------------------------------------------------------------------------------- */

static inline void *alloc_bytes(acre_region handle, size_t size, const char *function) {
  return alloc_any(handle, true, size, 1, NULL, function);
}

char *acre_region_alloc_bytes(acre_region handle, size_t size) {
  return alloc_bytes(handle, size, "rstralloc");
}

char *acre_region_strdup(acre_region handle, const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(alloc_bytes(handle, size, "rstrdup"), string, size);
}

char *acre_region_strdup_at(acre_region handle, const char *string, const acre_site *site) {
  size_t size = strlen(string) + 1;
  return memcpy(alloc_any(handle, true, size, 1, site, "rstrdup"), string, size);
}

char *acre_region_extend_bytes(acre_region handle, char *old, size_t size) {
  return old ? extend(acre_registry_expect_own(handle, "rstrextend"), old, size, 1, NULL,
                      "rstrextend")
             : alloc_bytes(handle, size, "rstrextend");
}

/* -- Names and limits -------------------------------------------------------------------------- */

void acre_region_set_name(acre_region handle, const char *name) {
  struct acre_region_entry *region = acre_registry_expect_own(handle, "acre_region_set_name");
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("acre_region_set_name: the permanent region has a name");
  size_t size = strlen(name) + 1;
  char *copy;
  while (!(copy = acre_object_alloc(region, &region->pointer_free, size, 1, NULL)))
    acre_out_of_memory(size, region);
  region->name = memcpy(copy, name, size);
}

void acre_region_set_limit(acre_region handle, size_t bytes) {
  struct acre_region_entry *region = acre_registry_expect_own(handle, "acre_region_set_limit");
  region->bytes_limit = bytes ? bytes : SIZE_MAX;
  acre_registry_update_open(region);
}
