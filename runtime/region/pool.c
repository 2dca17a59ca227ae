/* SPDX-License-Identifier: MIT */
/* pool.c - regions that have the memory of a program's own pools (-facre-pools).
 *
 * A map names the functions of an API of pools, and compiled code calls what is here around them.
 * They still run, so that cleanups and destructors keep their order; but the objects that they are
 * asked for come from a region.
 *
 * Invariant: a pool that was made by a mapped function, and is not ended, is in the table
 * (pool_table.h), and its region lies below that of its parent, if that is in the table.  A region
 * belongs to the thread that used its pool last: a program of this kind does not say when a pool
 * passes to another thread, but only one uses it at a time.
 *
 * A function that ends a pool ends those below it too, and by cleanups perhaps others.  They may
 * refer to each other, so all go together, when the outermost of these functions has returned.
 */
#include <acre/pool.h>

#include <stdlib.h>
#include <string.h>

#include <acre/abi.h>

#include "counting/object.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "evidence/log.h"
#include "memory/descriptor.h"
#include "memory/pages.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/allocate.h"
#include "region/clear.h"
#include "region/condemned.h"
#include "region/delete.h"
#include "region/give.h"
#include "region/given_back.h"
#include "region/pool_table.h"
#include "region/start.h"
#include "region/tree.h"

/* -- Finding ----------------------------------------------------------------------------------- */

/* The region of pool, which the calling thread owns from now on; null if it is not known. */
static struct acre_region_entry *use(const void *pool) {
  struct acre_region_entry *region = acre_self.pools.last;
  if (!pool)
    return NULL;
  if (!region || __atomic_load_n(&region->pool, __ATOMIC_RELAXED) != pool) {
    region = acre_pool_find(pool);
    if (!region)
      return NULL;
    acre_self.pools.last = region;
  }
  acre_region_adopt(region);
  return region;
}

acre_region acre_region_of_pool(const void *pool) {
  const struct acre_region_entry *region = acre_pool_find(pool);
  return region ? acre_handle_of(region) : NULL;
}

/* -- Making ------------------------------------------------------------------------------------ */

/* What a program that was not changed is not to end by. */
static void tell_by_default(void) {
  static bool is_done;
  if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL) || acre_log_is_on())
    return;
  const char *log = acre_os_setting("ACRE_LOG"), *policy = acre_os_setting("ACRE_DELETE");
  const bool is_told_anyhow = policy && strcmp(policy, "abort") == 0;
  if ((!log || !*log) && !is_told_anyhow)
    acre_log_start("stderr");
}

static void end_pool(struct acre_region_entry *region, const char *here, void *frame);

static bool is_ending(const struct acre_region_entry *region) {
  while (region && !__atomic_load_n(&region->is_ending, __ATOMIC_ACQUIRE))
    region = region->parent;
  return region;
}

/* The pool that was at this address before is gone.  The call that ends it may still be running, in
   another thread perhaps, which has looked the region up; or may just have returned.  Else no
   function of the map has ended it. */
static void take_over(const void *pool, const char *here, void *frame) {
  struct acre_region_entry *former = acre_pool_find(pool);
  if (!former)
    return;
  const bool is_ended = is_ending(former);
  if (is_ended)
    acre_pool_leave(pool, former);
  else if (__atomic_load_n(&former->pool, __ATOMIC_ACQUIRE) == pool)
    end_pool(former, here, frame);
}

void acre_rt_pool_created(const void *pool, const void *parent, const size_t *size,
                          const char *here) {
  if (!pool)
    return;
  acre_runtime_start();
  tell_by_default();
  take_over(pool, here, (void *)acre_frame_end());
  struct acre_region_entry *above = acre_pool_find(parent);
  struct acre_region_entry *region = acre_tree_make(above, true, here);
  region->policy = (uint8_t)acre_delete_policy_of_pools();
  region->pool_size = size ? *size : 0;
  while (!acre_pool_enter(pool, region))
    acre_out_of_memory(sizeof region, NULL);
}

void acre_rt_pool_named(const void *pool, const char *name) {
  struct acre_region_entry *region = use(pool);
  if (region && name)
    acre_region_set_name(acre_handle_of(region), name);
}

/* -- Allocation -------------------------------------------------------------------------------- */

/* Where an object of site would lie, if that has memory to be used again. */
static struct acre_allocator *reusable_of(struct acre_region_entry *region, const acre_site *site) {
  struct acre_allocator *allocator =
      acre_site_has_no_pointers(site) ? &region->pointer_free : &region->normal;
  return allocator->reusable && !acre_site_owned(site) ? allocator : NULL;
}

void *acre_rt_pool_alloc(const void *pool, size_t count, size_t size, size_t align,
                         const acre_site *site) {
  struct acre_region_entry *region = use(pool);
  size_t bytes;
  if (__builtin_expect(!region || __builtin_mul_overflow(count, size, &bytes) || bytes == 0, 0))
    return NULL;
  struct acre_allocator *reusable = reusable_of(region, site);
  void *again = reusable ? acre_use_again(reusable, bytes, align, site) : NULL;
  return again ? again : acre_region_alloc(acre_handle_of(region), bytes, align, site);
}

void *acre_rt_pool_copy(const void *pool, const void *from, size_t size, size_t align,
                        const acre_site *site) {
  const struct acre_region_entry *region = from && size ? use(pool) : NULL;
  return region ? acre_region_copy_array(acre_handle_of(region), from, 1, size, align, site) : NULL;
}

char *acre_rt_pool_text(const void *pool, char *text, const acre_site *site) {
  const struct acre_region_entry *region = text && !acre_page_owner(text) ? use(pool) : NULL;
  return region ? acre_region_strdup_at(acre_handle_of(region), text, site) : text;
}

/* The region that object lies in, if it is that of pool, or of any pool where that is null; or has
   been.  Null if it is none. */
static struct acre_region_entry *region_of(const void *pool, const void *object) {
  const uint32_t index = acre_page_owner(object);
  struct acre_region_entry *region = index ? acre_registry_at(index) : NULL;
  if (!region || !region->is_pool || (pool && region != use(pool)))
    return NULL;
  if (region->state == ACRE_STATE_LIVE)
    acre_region_adopt(region);
  return region;
}

/* The object itself.  Needs it to lie in region. */
static struct acre_object expect_object(const struct acre_region_entry *region, void *object,
                                        const acre_os_call *call) {
  ACRE_ASSERT(acre_page_owner(object) == region->index);
  if (region->state != ACRE_STATE_LIVE)
    acre_os_fatal_call(call, "the pool of %p has ended", object);
  const struct acre_object found = acre_object_at(object);
  if (!found.size || acre_object_is_released(&found))
    acre_os_fatal_call(call, "%p is no object of its pool", object);
  return found;
}

/* What is given back after its pool has ended goes with that. */
uint32_t acre_rt_pool_release(const void *pool, void *object) {
  struct acre_region_entry *region = region_of(pool, object);
  if (!region)
    return 0;
  const struct acre_object found =
      region->state == ACRE_STATE_LIVE ? acre_object_at(object) : (struct acre_object){0};
  if (found.size)
    acre_give_back(region, &found);
  return 1;
}

/* The old object is given back like any other: what pointed to it may not have been told yet. */
static void *move(struct acre_region_entry *region, const struct acre_object *object, size_t size,
                  size_t align, const acre_site *site) {
  const size_t kept = object->size < size ? object->size : size;
  void *fresh = acre_region_alloc(acre_handle_of(region), size, align, site);
  memcpy(fresh, object->start, kept);
  acre_record_copy((uintptr_t)object->start, (uintptr_t)fresh, kept);
  acre_give_back(region, object);
  return fresh;
}

static bool resize_in_place(struct acre_region_entry *region, struct acre_object *object,
                            size_t size) {
  struct acre_allocator *allocator = acre_object_allocator(object->start);
  const size_t before = object->size;
  if (!acre_object_resize(region, allocator, object, size))
    return false;
  allocator->bytes_requested += size - before;
  return true;
}

/* What an object is made of stays what it was. */
void *acre_rt_pool_resize(const void *pool, void *object, size_t size, size_t align,
                          const acre_site *site) {
  struct acre_region_entry *region = region_of(pool, object);
  if (!region)
    return NULL;
  const acre_os_call call = {
      .what = "resize", .file = site->file, .in = site->function, .line = site->line};
  struct acre_object found = expect_object(region, object, &call);
  size = size ? size : 1;
  if (((uintptr_t)object & (align - 1)) == 0 && resize_in_place(region, &found, size))
    return object;
  return move(region, &found, size, align, found.site ? found.site : site);
}

void *acre_rt_pool_owner(const void *object, const char *here) {
  struct acre_region_entry *region = region_of(NULL, object);
  if (!region)
    return NULL;
  expect_object(region, (void *)(uintptr_t)object,
                &(acre_os_call){.what = "pool of an object", .here = here});
  return (void *)(uintptr_t)region->pool;
}

size_t acre_rt_pool_space(const void *object) {
  const struct acre_region_entry *region = region_of(NULL, object);
  const size_t size = region ? acre_object_at((void *)(uintptr_t)object).size : 0;
  return size ? size + acre_header_bytes(size) : 0;
}

size_t acre_rt_pool_total(const void *pool) {
  const struct acre_region_entry *region = acre_pool_find(pool);
  return region ? acre_region_bytes(region) : 0;
}

/* -- Ending ------------------------------------------------------------------------------------ */

/* What is refused has lost its pool: it waits. */
static void adopt_tree(struct acre_region_entry *root) {
  for (struct acre_region_entry *each = root; each; each = acre_registry_next_below(root, each)) {
    acre_region_adopt(each);
    if (acre_delete_policy_of(each) == ACRE_DELETE_REFUSE)
      each->policy = ACRE_DELETE_DEFER;
  }
}

/* The pools of those below root are gone, and if is_whole that of root too. */
static void forget_pools(struct acre_region_entry *root, bool is_whole) {
  for (struct acre_region_entry *each = root; each; each = acre_registry_next_below(root, each))
    if (each != root || is_whole)
      acre_pool_leave(each->pool, each);
}

static void delete_set(struct acre_condemned *set, const char *here, void *frame) {
  if (!set->first)
    return;
  acre_delete_clear_stack();
  acre_condemned_add_below(set);
  acre_delete_set(
      set, (struct acre_report_words){.verb = "end the pool of", .event = "the pool was ended"},
      here, frame);
}

static void add_ended(struct acre_condemned *set, acre_region handle) {
  struct acre_region_entry *region = handle ? acre_registry_find(handle) : NULL;
  if (!region || region->state != ACRE_STATE_LIVE || acre_condemned_set_of(region))
    return;
  adopt_tree(region);
  acre_condemned_add(set, region);
}

/* Adds what was ended since the outermost call began. */
static void add_all_ended(struct acre_condemned *set) {
  const struct acre_ending_pools *ending = &acre_self.pools;
  for (size_t i = 0; i < ending->count; i++)
    if (ending->all[i].is_done)
      add_ended(set, ending->all[i].region);
}

static void delete_ended(const char *here, void *frame) {
  struct acre_ending_pools *ending = &acre_self.pools;
  struct acre_condemned set = {0};
  add_all_ended(&set);
  free(ending->all);
  *ending = (struct acre_ending_pools){.last = ending->last};
  delete_set(&set, here, frame);
}

static void delete_alone(struct acre_region_entry *region, const char *here, void *frame) {
  struct acre_condemned set = {0};
  add_ended(&set, acre_handle_of(region));
  delete_set(&set, here, frame);
}

/* What is being ended that region is, or is below; null if nothing. */
static struct acre_ending_pool *find_ending(const struct acre_region_entry *region) {
  struct acre_ending_pools *ending = &acre_self.pools;
  for (const struct acre_region_entry *each = region; each; each = each->parent) {
    const uint32_t at = __atomic_load_n(&each->ending_at, __ATOMIC_RELAXED);
    if (at < ending->count && ending->all[at].region == acre_handle_of(each))
      return &ending->all[at];
  }
  return NULL;
}

/* If memory is out, region goes when its own function has returned, though others may refer to it
 * that go later: what refers to it then is found, and treated as the policy says. */
static void note_ending(struct acre_region_entry *region, void *frame) {
  struct acre_ending_pools *ending = &acre_self.pools;
  if (ending->count == ending->capacity) {
    const size_t capacity = ending->capacity ? 2 * ending->capacity : 8;
    struct acre_ending_pool *grown = realloc(ending->all, capacity * sizeof *grown);
    if (!grown)
      return;
    ending->all = grown;
    ending->capacity = capacity;
  }
  __atomic_store_n(&region->ending_at, (uint32_t)ending->count, __ATOMIC_RELAXED);
  ending->all[ending->count++] =
      (struct acre_ending_pool){acre_handle_of(region), (uintptr_t)frame, false};
}

/* The pool of region has ended: its region goes with what the outermost call ends. */
static void end_pool(struct acre_region_entry *region, const char *here, void *frame) {
  forget_pools(region, true);
  struct acre_ending_pool *found = find_ending(region);
  if (!found)
    delete_alone(region, here, frame);
  else if (found->region == acre_handle_of(region))
    found->is_done = true;
}

/* Within a call that ends or clears it too there is nothing to do yet. */
static void clear_pool(struct acre_region_entry *region, acre_subregions below, const char *here,
                       void *frame) {
  if (below == ACRE_SUBREGIONS_DELETE)
    forget_pools(region, false);
  struct acre_ending_pool *found = find_ending(region);
  if (found && (found->region != acre_handle_of(region) || (uintptr_t)frame < found->frame))
    return;
  if (found)
    found->region = NULL;
  const struct acre_report_words words = {.verb = "clear the pool of",
                                          .event = "the pool was cleared"};
  adopt_tree(region);
  acre_delete_clear_stack();
  struct acre_condemned set = {0};
  if ((uintptr_t)frame >= acre_self.pools.frame)
    add_all_ended(&set);
  if (!set.first) {
    acre_clear(region, below, words, here, frame);
    return;
  }
  /* The outermost call has ended other pools, which may refer to this one, and it to them. */
  acre_condemned_add_below(&set);
  if (acre_condemned_set_of(region)) { /* one of them is above: it goes with that */
    acre_condemned_dissolve(&set);
    return;
  }
  acre_condemned_add(&set, region);
  if (below == ACRE_SUBREGIONS_DELETE)
    acre_condemned_add_below(&set);
  acre_clear_with(&set, region, words, here, frame);
}

/* A frame that is not deeper than that of the outermost call is one that longjmp has led back to,
   out of that call. */
acre_region acre_rt_pool_begin(const void *pool, uint32_t how, const char *here) {
  struct acre_ending_pools *ending = &acre_self.pools;
  void *frame = (void *)acre_frame_end();
  if (__builtin_expect(ending->frame && (uintptr_t)frame >= ending->frame, 0))
    delete_ended(here, frame);
  if (!ending->frame)
    ending->frame = (uintptr_t)frame;
  struct acre_region_entry *region = acre_pool_find(pool);
  if (!region)
    return NULL;
  __atomic_store_n(&region->is_ending, true, __ATOMIC_RELEASE);
  const acre_region handle = acre_handle_of(region);
  if (how != ACRE_RT_POOL_CLEARED_ONLY && !find_ending(region))
    note_ending(region, frame);
  return handle;
}

void acre_rt_pool_end(acre_region handle, uint32_t how, const char *here) {
  void *frame = (void *)acre_frame_end();
  struct acre_region_entry *region = handle ? acre_registry_find(handle) : NULL;
  const bool is_live = region && region->state == ACRE_STATE_LIVE;
  if (is_live && how == ACRE_RT_POOL_DESTROYED)
    end_pool(region, here, frame);
  else if (is_live)
    clear_pool(region, how == ACRE_RT_POOL_CLEARED ? ACRE_SUBREGIONS_DELETE : ACRE_SUBREGIONS_KEEP,
               here, frame);
  if ((uintptr_t)frame >= acre_self.pools.frame)
    delete_ended(here, frame);
}
