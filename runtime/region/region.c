/* region.c - the life of regions: creation, the forest, deletion under the policies.
 *
 * Deleting a set: its members are condemned; it may go if no member has a live child outside the
 * set and every reference to a member comes from memory of the set.  One that may not is healed
 * first and looked at again.  Nothing has changed until the set goes.
 *
 * A deferred region goes at a later call that may delete, never inside an allocation: callers of
 * allocations have not pinned their locals.
 */
#include <acre/collected.h>
#include <acre/region.h>
#include <acre/scope.h>

#include <stdlib.h>
#include <string.h>

#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "evidence/report.h"
#include "evidence/verify.h"
#include "foreign/holders.h"
#include "foreign/stale.h"
#include "gc/process/process.h"
#include "memory/descriptor.h"
#include "memory/pages.h"
#include "owner/drop.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/allocate.h"
#include "region/region.h"
#include "region/scope.h"
#include "region/start.h"

static acre_delete_policy default_policy = ACRE_DELETE_ABORT;
static struct acre_dead_totals {
  int64_t objects, bytes_requested;
} dead_totals; /* of regions that are gone */

/* -- Creation ---------------------------------------------------------------------------------- */

static void link_root(struct acre_region_entry *region) {
  region->root = region;
  acre_order_start(&region->begin, &region->end);
}

static void link_child(struct acre_region_entry *parent, struct acre_region_entry *region) {
  region->root = parent->root;
  region->parent = parent;
  acre_order_insert_after(&parent->begin, &region->begin);
  acre_order_insert_after(&region->begin, &region->end);
  region->next_sibling = parent->first_child;
  if (parent->first_child)
    parent->first_child->previous_sibling = region;
  parent->first_child = region;
  parent->child_count++;
}

static void unlink_region(struct acre_region_entry *region) {
  struct acre_region_entry *parent = region->parent;
  acre_order_remove(&region->begin);
  acre_order_remove(&region->end);
  if (!parent)
    return;
  *(region->previous_sibling ? &region->previous_sibling->next_sibling : &parent->first_child) =
      region->next_sibling;
  if (region->next_sibling)
    region->next_sibling->previous_sibling = region->previous_sibling;
  parent->child_count--;
}

/* Stores into a new region, and of pointers to it, will soon ask for its relation to what it lies
   in: no check has to find it out. */
static void note_ancestors(const struct acre_region_entry *region) {
  enum { NEAREST = 4 };
  const struct acre_region_entry *above = region->parent;
  for (int i = 0; above && i < NEAREST; i++, above = above->parent) {
    *acre_ancestor_pair(region->index, above->index) = acre_relation(region->index, above->index);
    if (above->owner == region->owner)
      *acre_unrelated_pair(above->index, region->index) =
          acre_relation(above->index, region->index);
  }
}

static struct acre_region_entry *acquire(const char *here) {
  /* From the first region on, the thread knows which slots are on its stack. */
  if (!acre_self.stack_high)
    acre_thread_find_stack();
  acre_runtime_start();
  for (;;) {
    struct acre_region_entry *region = acre_registry_acquire(here);
    if (region)
      return region;
    acre_out_of_memory(ACRE_CHUNK_SIZE * sizeof *region, NULL);
  }
}

acre_region acre_region_traditional(void) {
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(ACRE_INDEX_TRADITIONAL));
}

acre_region acre_region_permanent(void) {
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(ACRE_INDEX_PERMANENT));
}

acre_region acre_region_new(const char *here) {
  acre_pin_settle();
  struct acre_region_entry *region = acquire(here);
  link_root(region);
  return acre_handle_of(region);
}

acre_region acre_region_new_sub(acre_region parent_handle, const char *here) {
  acre_pin_settle();
  struct acre_region_entry *parent = acre_registry_expect_own(parent_handle, "newsubregion");
  if (parent->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("newsubregion: the permanent region has no subregions: a new region is as good");
  struct acre_region_entry *region = acquire(here);
  link_child(parent, region);
  note_ancestors(region);
  return acre_handle_of(region);
}

/* -- May the set go? --------------------------------------------------------------------------- */

static bool has_outside_child(const struct acre_region_entry *region) {
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling)
    if (!child->is_condemned)
      return true;
  return false;
}

static void tally_internal(uintptr_t slot, uint32_t region, void *context) {
  (void)slot;
  (void)context;
  acre_registry_at(region)->tally++;
}

static void tally_block(uintptr_t low, uintptr_t high, void *context) {
  acre_record_each_in(low, high, tally_internal, context);
}

static bool is_held(const struct acre_region_entry *region) {
  return __atomic_load_n(&region->count, __ATOMIC_ACQUIRE) != region->tally;
}

static bool is_any_counted(const struct acre_region_entry *set) {
  for (const struct acre_region_entry *region = set; region; region = region->next)
    if (is_held(region))
      return true;
  return false;
}

/* The references to each member of the set from memory of the set, in its tally. */
static void tally_set(struct acre_region_entry *set) {
  for (struct acre_region_entry *region = set; region; region = region->next)
    region->tally = 0;
  /* No member refers to itself by a record. */
  if (set->next && is_any_counted(set))
    for (struct acre_region_entry *region = set; region; region = region->next)
      acre_block_each(region, tally_block, NULL);
}

static struct acre_region_entry *first_held(struct acre_region_entry *set) {
  tally_set(set);
  for (struct acre_region_entry *region = set; region; region = region->next)
    if (is_held(region) || has_outside_child(region))
      return region;
  return NULL;
}

/* The member that may not go, or null. */
static struct acre_region_entry *find_obstacle(struct acre_region_entry *set, uintptr_t frame) {
  if (acre_pin_spares_condemned() && !first_held(set))
    return NULL;
  acre_pin_settle();
  struct acre_region_entry *obstacle = first_held(set);
  if (obstacle && is_any_counted(set)) {
    acre_heal_condemned(frame);
    obstacle = first_held(set);
  }
  if (obstacle && is_any_counted(set) && acre_holders_drop_unreached())
    obstacle = first_held(set);
  /* What only garbage of the collected heap refers to may go. */
  if (obstacle && is_any_counted(set) && acre_gc_process_exists()) {
    acre_collected_collect();
    acre_heal_condemned(frame);
    obstacle = first_held(set);
  }
  return obstacle;
}

/* -- Going ------------------------------------------------------------------------------------- */

static void release_block(uintptr_t low, uintptr_t high, void *context) {
  (void)context;
  acre_record_release(low, high);
}

static void drop_object(const struct acre_object *object, void *context) {
  (void)context;
  const acre_owned_type *owned = acre_site_owned(object->site);
  if (!owned)
    return;
  const acre_type *type = object->site->type;
  acre_drop_owned(object->start, type->flexible_stride ? 1 : object->size / type->size, owned);
}

static void destroy_set(struct acre_region_entry *set, const char *here) {
  for (struct acre_region_entry *region = set; region; region = region->next)
    if (region->is_owning)
      acre_object_each(region, drop_object, NULL);
  for (struct acre_region_entry *region = set; region; region = region->next)
    acre_block_each(region, release_block, NULL);
  for (struct acre_region_entry *region = set; region; region = region->next)
    unlink_region(region);
  for (struct acre_region_entry *region = set, *next; region; region = next) {
    next = region->next;
    acre_add64(&dead_totals.objects, (int64_t)acre_region_objects(region));
    acre_add64(&dead_totals.bytes_requested, (int64_t)acre_region_bytes(region));
    acre_registry_drop_current(acre_handle_of(region));
    acre_object_free_all(region);
    acre_forget_relations(region->index);
    acre_registry_release(region, here);
  }
}

static void set_condemned(struct acre_region_entry *set, bool is_condemned) {
  for (struct acre_region_entry *region = set; region; region = region->next)
    region->is_condemned = is_condemned;
}

/* -- Deferred regions -------------------------------------------------------------------------- */

static void defer_set(struct acre_region_entry *set) {
  for (struct acre_region_entry *region = set, *next; region; region = next) {
    next = region->next;
    region->state = ACRE_STATE_DEFERRED;
    acre_registry_update_open(region);
    region->next = acre_self.deferred;
    acre_self.deferred = region;
    acre_self.deferred_count++;
  }
}

static bool may_go_now(const struct acre_region_entry *region) {
  return !region->first_child && __atomic_load_n(&region->count, __ATOMIC_ACQUIRE) == 0;
}

/* One that goes may free another: its parent, or one it pointed into.  So until a pass finds none.
 */
static size_t reclaim_deferred(void) {
  size_t gone = 0;
  acre_pin_settle();
  for (bool is_progress = true; is_progress;) {
    is_progress = false;
    for (struct acre_region_entry **link = &acre_self.deferred; *link;) {
      struct acre_region_entry *region = *link;
      if (!may_go_now(region)) {
        link = &region->next;
        continue;
      }
      *link = region->next;
      region->next = NULL;
      destroy_set(region, "a deferred delete");
      acre_self.deferred_count--;
      is_progress = true;
      gone++;
    }
  }
  return gone;
}

/* So that deferred regions do not pile up, each delete is a chance; looking at them costs as much
   as there are, so only every so many deletes. */
static void reclaim_sometimes(void) {
  if (!acre_self.deferred || acre_self.deferred_patience++ < acre_self.deferred_count)
    return;
  acre_self.deferred_patience = 0;
  reclaim_deferred();
}

size_t acre_region_reclaim(void) {
  acre_self.deferred_patience = 0;
  return reclaim_deferred();
}

/* -- Deletion ---------------------------------------------------------------------------------- */

static acre_delete_policy policy_of(const struct acre_region_entry *region) {
  return region->policy == ACRE_POLICY_DEFAULT ? default_policy
                                               : (acre_delete_policy)region->policy;
}

/* The least forgiving policy of the members decides. */
static acre_delete_policy policy_of_set(const struct acre_region_entry *set) {
  acre_delete_policy policy = ACRE_DELETE_DEFER;
  for (; set; set = set->next)
    if (policy_of(set) < policy)
      policy = policy_of(set);
  return policy;
}

_Noreturn static void abort_for(struct acre_region_entry *obstacle, struct acre_report_words words,
                                const char *here) {
  acre_report_refusal(2, obstacle, words, here);
  abort();
}

/* The members are a set no more. */
static void dissolve(struct acre_region_entry *set) {
  set_condemned(set, false);
  for (struct acre_region_entry *next; set; set = next) {
    next = set->next;
    set->next = NULL;
  }
}

static bool refuse(struct acre_region_entry *set, struct acre_region_entry *obstacle,
                   const char *here) {
  acre_delete_policy policy = policy_of_set(set);
  if (policy == ACRE_DELETE_ABORT)
    abort_for(obstacle, (struct acre_report_words){"delete", "deleteregion called"}, here);
  if (policy == ACRE_DELETE_DEFER) {
    set_condemned(set, false);
    defer_set(set);
    return true;
  }
  dissolve(set);
  return false;
}

/* frame: the address of the API function's frame; what lies below is dead. */
static bool delete_set(struct acre_region_entry *set, const char *here, void *frame) {
  if (__builtin_expect(acre_is_verifying, 0))
    acre_verify_or_abort(here ? here : "at a delete");
  set_condemned(set, true);
  struct acre_region_entry *obstacle = find_obstacle(set, (uintptr_t)frame);
  bool is_gone = !obstacle || refuse(set, obstacle, here);
  if (!obstacle)
    destroy_set(set, here);
  reclaim_sometimes();
  return is_gone;
}

static struct acre_region_entry *expect_deletable(acre_region handle) {
  struct acre_region_entry *region = acre_registry_expect_own(handle, "deleteregion");
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal("deleteregion: the permanent region cannot be deleted");
  return region;
}

bool acre_region_delete(acre_region handle, const char *here) {
  return delete_set(expect_deletable(handle), here, __builtin_frame_address(0));
}

bool acre_region_delete_ptr(acre_region *place, const char *here) {
  acre_region handle = *place;
  struct acre_region_entry *region = expect_deletable(handle);
  *place = NULL;
  bool is_gone = delete_set(region, here, __builtin_frame_address(0));
  if (!is_gone)
    *place = handle;
  return is_gone;
}

bool acre_region_delete_array(size_t count, acre_region *handles, const char *here) {
  struct acre_region_entry *set = NULL;
  for (size_t i = 0; i < count; i++) {
    struct acre_region_entry *region = expect_deletable(handles[i]);
    if (region->is_condemned)
      acre_os_fatal("deleteregion_array: element %zu names the same region as an earlier one", i);
    region->is_condemned = true;
    region->next = set;
    set = region;
  }
  return !set || delete_set(set, here, __builtin_frame_address(0));
}

/* -- Blocks and arenas (scope.h) --------------------------------------------------------------- */

/* region and all below it, as a set.  Those whose delete is deferred are in another list. */
static struct acre_region_entry *gather(struct acre_region_entry *region) {
  struct acre_region_entry *last = region;
  region->next = NULL;
  for (struct acre_region_entry *each = region; each; each = each->next)
    for (struct acre_region_entry *child = each->first_child; child; child = child->next_sibling)
      if (child->state == ACRE_STATE_LIVE) {
        child->next = NULL;
        last = last->next = child;
      }
  return region;
}

/* Callers have not pinned their locals: they cannot know this region.  They may know those that are
 * deferred. */
void acre_region_end(struct acre_region_entry *region, enum acre_region_ending how,
                     const char *here, void *frame) {
  if (__builtin_expect(acre_is_verifying, 0))
    acre_verify_or_abort(here);
  struct acre_region_entry *set = gather(region);
  set_condemned(set, true);
  struct acre_region_entry *obstacle = find_obstacle(set, (uintptr_t)frame);
  if (!obstacle && how != ACRE_END_LATER) {
    destroy_set(set, here);
    return;
  }
  if (obstacle && how == ACRE_END_OR_ABORT && policy_of_set(set) == ACRE_DELETE_ABORT)
    abort_for(obstacle,
              (struct acre_report_words){"delete", "the end of the block of acre_scoped_region"},
              here);
  set_condemned(set, false);
  defer_set(set);
}

/* A thread remembers relations of what it owns. */
static void give_set(struct acre_region_entry *set, uint32_t owner) {
  bool is_own = owner == acre_thread_id();
  for (struct acre_region_entry *each = set; each; each = each->next) {
    each->owner = owner;
    acre_registry_update_open(each);
    if (!is_own)
      acre_forget_relations(each->index);
  }
  dissolve(set);
}

void acre_region_close(struct acre_region_entry *region, const char *here, void *frame) {
  struct acre_region_entry *set = gather(region);
  set_condemned(set, true);
  struct acre_region_entry *obstacle = find_obstacle(set, (uintptr_t)frame);
  if (obstacle)
    abort_for(obstacle, (struct acre_report_words){"close", "the end of the block of acre_open"},
              here);
  give_set(set, ACRE_OWNER_CLOSED);
}

void acre_region_change_owner(struct acre_region_entry *region, uint32_t owner) {
  give_set(gather(region), owner);
}

void *acre_region_root(acre_region handle) {
  static const acre_slot slot = {0, 1, sizeof(void *), ACRE_SLOT_PLAIN, "root"};
  static const acre_type type = {"acre_root", sizeof(void *), _Alignof(void *), 1, 1, 0, &slot,
                                 NULL};
  static const acre_site site = {&type, __FILE__, "acre_region_root", __LINE__};
  struct acre_region_entry *region = acre_registry_expect_own(handle, "acre_root");
  if (!region->anchor)
    region->anchor = acre_region_alloc(handle, sizeof(void *), _Alignof(void *), &site);
  return region->anchor;
}

/* -- Settings and questions -------------------------------------------------------------------- */

void acre_set_delete_policy(acre_delete_policy policy) { default_policy = policy; }

void acre_region_set_delete_policy(acre_region handle, acre_delete_policy policy) {
  acre_registry_expect_own(handle, "acre_region_set_delete_policy")->policy = (uint8_t)policy;
}

acre_region acre_region_of(const void *p) {
  if (!p)
    return NULL;
  acre_runtime_start();
  return acre_handle_of(acre_registry_at(acre_page_owner(p)));
}

acre_region acre_region_parent(acre_region handle) {
  struct acre_region_entry *parent = acre_registry_expect(handle, "acre_region_parent")->parent;
  return parent ? acre_handle_of(parent) : NULL;
}

bool acre_region_is_ancestor(acre_region ancestor, acre_region handle) {
  const struct acre_region_entry *above = acre_registry_expect(ancestor, "acre_region_is_ancestor");
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_is_ancestor");
  return above->root == region->root &&
         acre_order_encloses(&above->begin, &above->end, &region->begin);
}

bool acre_region_is_live(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_find(handle);
  return region && region->state == ACRE_STATE_LIVE;
}

const char *acre_region_name(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_name");
  return region->name ? region->name : region->created_here;
}

size_t acre_region_count(acre_region handle) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_count");
  acre_pin_settle();
  return (size_t)__atomic_load_n(&region->count, __ATOMIC_ACQUIRE);
}

void acre_region_get_stats(acre_region handle, acre_region_stats *stats) {
  const struct acre_region_entry *region = acre_registry_expect(handle, "acre_region_get_stats");
  acre_pin_settle();
  *stats = (acre_region_stats){acre_region_objects(region), acre_region_bytes(region),
                               region->pages << ACRE_WINDOW_PAGE_SHIFT, (size_t)region->count,
                               region->child_count};
}

void acre_get_stats(acre_stats *stats) {
  acre_runtime_start();
  *stats = (acre_stats){
      .regions_created = acre_registry_created_count(),
      .regions_live = acre_registry_live_count(),
      .objects = (size_t)__atomic_load_n(&dead_totals.objects, __ATOMIC_RELAXED),
      .bytes_requested = (size_t)__atomic_load_n(&dead_totals.bytes_requested, __ATOMIC_RELAXED),
      .bytes_reserved = acre_pages_in_use(),
      .bytes_peak = acre_pages_peak(),
      .stores_counted = (size_t)__atomic_load_n(&acre_counters.stores_counted, __ATOMIC_RELAXED),
      .stores_checked = (size_t)__atomic_load_n(&acre_counters.stores_checked, __ATOMIC_RELAXED),
      .records_healed = (size_t)__atomic_load_n(&acre_counters.records_healed, __ATOMIC_RELAXED),
  };
  for (uint32_t i = 0; i < acre_registry_limit(); i++) {
    const struct acre_region_entry *region = acre_registry_at(i);
    stats->objects += acre_region_objects(region);
    stats->bytes_requested += acre_region_bytes(region);
  }
}
