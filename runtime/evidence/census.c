/* SPDX-License-Identifier: MIT */
/* census.c - see census.h. */
#define _GNU_SOURCE
#include "evidence/census.h"

#include <string.h>
#include <time.h>

#include "counting/pin.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/stopped.h"
#include "counting/store.h"
#include "evidence/log.h"
#include "evidence/report.h"
#include "foreign/stale.h"
#include "gc/heap/cell.h"
#include "gc/heap/format.h"
#include "gc/linux/stop_world.h"
#include "gc/process/process.h"
#include "memory/pages.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/thread.h"

enum { NAME_MAX_BYTES = 256 };
/* Room for what is named: slots outside, and as many locals. */
#define TEXTS_MAX (2 * ACRE_CENSUS_OUTSIDE_MAX)

/* What is filled while the world is stopped. */
struct walk {
  struct acre_census *census;
  struct acre_census_region *region; /* whose objects are looked at */
  struct acre_stopped_cursor cursor;
  uintptr_t frame;
};

static void add(struct acre_census *census, uint64_t first, uint64_t second, uint64_t third,
                uint64_t fourth, uint64_t bytes) {
  const uint64_t key[ACRE_TALLY_WORDS] = {first, second, third, fourth};
  acre_tally_add(&census->tallies, key, bytes);
}

/* -- Sites ------------------------------------------------------------------------------------- */

static bool is_static(const void *p) { return acre_os_library(p).start != 0; }

struct acre_census_site acre_census_read_site(uint64_t address) {
  struct acre_census_site found = {0};
  const acre_site *site = (const acre_site *)(uintptr_t)address;
  if (address <= ACRE_CENSUS_GIVEN_BACK)
    return found;
  found.has_site = is_static(site) && acre_os_read(site, &found.site, sizeof found.site);
  found.has_type = found.has_site && is_static(found.site.type) &&
                   acre_os_read(found.site.type, &found.type, sizeof found.type);
  return found;
}

void acre_census_read_text(const char *text, char *to, size_t size) {
  enum { PAGE_BYTES = 4096 };
  size_t used = 0;
  while (text && used < size - 1) {
    const size_t to_page = PAGE_BYTES - (uintptr_t)(text + used) % PAGE_BYTES,
                 rest = size - 1 - used, part = to_page < rest ? to_page : rest;
    if (!acre_os_read(text + used, to + used, part))
      break;
    const size_t length = strnlen(to + used, part);
    used += length;
    if (length < part)
      break;
  }
  to[used] = 0;
}

static uint64_t site_of(const struct acre_object *object, bool is_pointer_free) {
  if (object->mark != ACRE_OBJECT_IN_USE || acre_object_is_released(object))
    return ACRE_CENSUS_GIVEN_BACK;
  if (object->site)
    return (uintptr_t)object->site;
  return is_pointer_free ? ACRE_CENSUS_POINTER_FREE : ACRE_CENSUS_NO_SITE;
}

/* What is known of the type of a site while the world is stopped: its size and how far the elements
   of its flexible array are apart.  Whether it lies in a library is not asked, which may need a
   lock that a stopped thread holds: of other memory these are just numbers. */
static uint64_t shape_of(uint64_t address) {
  acre_site site;
  acre_type type;
  const bool is_known = address > ACRE_CENSUS_GIVEN_BACK &&
                        acre_os_read((const void *)(uintptr_t)address, &site, sizeof site) &&
                        site.type && acre_os_read(site.type, &type, sizeof type);
  return is_known ? (uint64_t)type.flexible_stride << 32 | type.size : 0;
}

/* The offset that stands for all elements of an array. */
static uint64_t offset_in_element(struct acre_census *census, uint64_t site, size_t offset) {
  const uint64_t key[ACRE_TALLY_WORDS] = {site};
  struct acre_tally *known = acre_tally_add(&census->sites, key, 0);
  if (known && known->count == 1)
    known->bytes = shape_of(site);
  const size_t size = known ? (uint32_t)known->bytes : 0, stride = known ? known->bytes >> 32 : 0;
  if (size == 0)
    return 0;
  if (stride == 0)
    return offset % size;
  return offset < size ? offset : size + (offset - size) % stride;
}

/* -- Objects ----------------------------------------------------------------------------------- */

static void count_object(const struct acre_object *object, bool is_pointer_free, void *context) {
  const struct walk *walk = context;
  walk->region->objects++;
  walk->region->bytes += object->size;
  add(walk->census, acre_census_word(ACRE_CENSUS_OBJECTS, walk->region->index),
      site_of(object, is_pointer_free), 0, 0, object->size);
}

/* -- References -------------------------------------------------------------------------------- */

static void add_outside(struct acre_census *census, uintptr_t slot, uint32_t region) {
  void *value = NULL;
  if (census->outside_count == ACRE_CENSUS_OUTSIDE_MAX) {
    add(census, acre_census_word(ACRE_CENSUS_UNNAMED, region), 0, 0, 0, 0);
  } else if (!acre_slot_read(slot, &value) || acre_page_owner(value) != region) {
    add(census, acre_census_word(ACRE_CENSUS_STALE, region), 0, 0, 0, 0);
  } else {
    census->outside[census->outside_count++] = (struct acre_census_outside){slot, value, region};
  }
}

/* Below the frame the stack is dead.  Records of other kinds than a region's have no regions that
 * could be told of. */
static void count_record(uintptr_t slot, uint32_t region, void *context) {
  struct walk *walk = context;
  const uint32_t holder = acre_page_owner((void *)slot);
  if (region <= ACRE_INDEX_PERMANENT || (slot < walk->frame && acre_thread_is_on_stack(slot)))
    return;
  if (!holder) {
    add_outside(walk->census, slot, region);
  } else if (acre_page_owner(acre_read_slot(slot)) != region) {
    add(walk->census, acre_census_word(ACRE_CENSUS_STALE, region), 0, 0, 0, 0);
  } else {
    const bool is_found = acre_stopped_seek(&walk->cursor, (const char *)slot);
    const struct acre_object *object = &walk->cursor.object;
    const uint64_t site =
        is_found ? site_of(object, walk->cursor.is_pointer_free) : ACRE_CENSUS_NO_SITE;
    add(walk->census, acre_census_word(ACRE_CENSUS_REFERENCE, region), holder, site,
        is_found ? offset_in_element(walk->census, site, slot - (uintptr_t)object->start) : 0, 0);
  }
}

/* -- Regions ----------------------------------------------------------------------------------- */

static bool is_live(const struct acre_region_entry *entry) {
  return entry->index != ACRE_INDEX_TRADITIONAL &&
         (entry->state == ACRE_STATE_LIVE || entry->state == ACRE_STATE_DEFERRED);
}

/* The name lies in the region's memory, unless the runtime itself gave it; its thread may be
   deleting the region. */
static const char *copy_name(struct acre_census *census, const struct acre_region_entry *entry) {
  const char *name = entry->name;
  const bool is_own = entry->index == ACRE_INDEX_PERMANENT || acre_page_owner(name) == entry->index;
  if (!name || !is_own || census->name_capacity - census->name_bytes < NAME_MAX_BYTES)
    return NULL;
  char *copy = census->names + census->name_bytes;
  acre_census_read_text(name, copy, NAME_MAX_BYTES);
  census->name_bytes += strlen(copy) + 1;
  return copy;
}

static void add_region(struct walk *walk, const struct acre_region_entry *entry) {
  struct acre_census *census = walk->census;
  const struct acre_region_entry *parent = entry->parent;
  walk->region = &census->regions[census->region_count++];
  *walk->region = (struct acre_census_region){
      .index = entry->index,
      .generation = entry->generation,
      .parent = parent && is_live(parent) ? parent->index : 0,
      .owner = acre_region_owner(entry),
      .state = entry->state,
      .policy = entry->policy,
      .is_pool = entry->pool != NULL,
      .is_zombie = entry->is_zombie,
      .count = __atomic_load_n(&entry->count, __ATOMIC_ACQUIRE),
      .pages = entry->pages,
      .created = entry->created_here,
      .name = copy_name(census, entry),
  };
  acre_stopped_each(entry, count_object, walk);
}

/* Needs the lock of the registry. */
static bool prepare(struct acre_census *census) {
  for (uint32_t i = 0; i < acre_registry_limit(); i++)
    census->region_capacity += is_live(acre_registry_at(i));
  census->name_capacity = (census->region_capacity + 1) * NAME_MAX_BYTES;
  census->regions = acre_os_table(census->region_capacity * sizeof *census->regions);
  census->names = acre_os_table(census->name_capacity);
  census->outside = acre_os_table(ACRE_CENSUS_OUTSIDE_MAX * sizeof *census->outside);
  census->text = acre_os_table(TEXTS_MAX * ACRE_CENSUS_TEXT_BYTES);
  return census->regions && census->names && census->outside && census->text;
}

static void walk_regions(struct walk *walk) {
  for (uint32_t i = 0; i < acre_registry_limit(); i++) {
    const struct acre_region_entry *entry = acre_registry_at(i);
    if (is_live(entry) && walk->census->region_count < walk->census->region_capacity)
      add_region(walk, entry);
  }
  acre_record_each(ACRE_RECORD_ANYWHERE, count_record, walk);
}

static uint64_t now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* No thread is in the midst of making or ending a region's entry then. */
static bool look_at_regions(struct acre_census *census, uintptr_t frame) {
  struct walk walk = {.census = census, .frame = frame};
  acre_registry_lock();
  const bool is_ready = prepare(census);
  if (is_ready) {
    acre_gc_world_stop();
    const uint64_t begin = now_nanoseconds();
    walk_regions(&walk);
    census->stopped_nanoseconds = now_nanoseconds() - begin;
    acre_gc_world_resume();
  }
  acre_registry_unlock();
  return is_ready;
}

/* -- Names ------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text, uint64_t hash) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

/* Counts a referrer that has this text. */
static void add_named(struct acre_census *census, enum acre_census_kind kind, uint32_t region,
                      const char *text) {
  const uint64_t key[ACRE_TALLY_WORDS] = {hash_of(text, UINT64_C(14695981039346656037)),
                                          hash_of(text, 1), strlen(text)};
  struct acre_tally *known = acre_tally_add(&census->texts, key, 0);
  if (!known)
    return;
  if (known->count == 1) {
    known->bytes = census->text_bytes;
    memcpy(census->text + census->text_bytes, text, strlen(text) + 1);
    census->text_bytes += strlen(text) + 1;
  }
  add(census, acre_census_word(kind, region), known->bytes, 0, 0, 0);
}

static void name_slot(struct acre_census *census, const struct acre_census_outside *outside) {
  struct acre_finding finding;
  char text[ACRE_CENSUS_TEXT_BYTES] = "";
  size_t entry = 0;
  if (acre_finding_begin(&finding)) {
    const acre_rt_pin_frame *pin = acre_pin_find_range(outside->slot, &entry);
    if (pin)
      acre_print_pinned(finding.fd, pin->site, entry);
    else
      acre_print_slot(finding.fd, (void *)outside->slot, outside->value);
    acre_finding_end(&finding, text, sizeof text);
  }
  add_named(census, ACRE_CENSUS_OUTSIDE, outside->region, text);
}

/* Which of a frame's values the entry stands for.  Frames of other threads are not looked at. */
static const acre_rt_pin_site *find_value(const struct acre_pin_entry *pin, size_t *entry) {
  if (!pin->frame || !acre_thread_is_on_stack((uintptr_t)pin->frame))
    return NULL;
  const acre_rt_pin_site *site = pin->frame->site;
  for (*entry = 0; *entry < site->entry_count; ++*entry)
    if (!site->entries[*entry].size &&
        acre_page_owner(pin->frame->values[*entry]) == pin->region->index)
      return site;
  return NULL;
}

struct local_walk {
  struct acre_census *census;
  uintptr_t frame;
  size_t left; /* that may still be named */
};

static void name_local(const struct acre_pin_entry *pin, void *context) {
  struct local_walk *walk = context;
  char text[ACRE_CENSUS_TEXT_BYTES] = "a local variable";
  struct acre_finding finding;
  size_t entry;
  const bool may_be = walk->left && (uintptr_t)pin->frame >= walk->frame;
  const acre_rt_pin_site *site = may_be ? find_value(pin, &entry) : NULL;
  if (site && acre_finding_begin(&finding)) {
    walk->left--;
    acre_print_pinned(finding.fd, site, entry);
    acre_finding_end(&finding, text, sizeof text);
  }
  add_named(walk->census, ACRE_CENSUS_LOCAL, pin->region->index, text);
}

static void name_locals_of(struct acre_thread *thread, void *context) {
  acre_pin_each(thread, name_local, context);
}

static void name_referrers(struct acre_census *census, uintptr_t frame) {
  struct local_walk locals = {census, frame, ACRE_CENSUS_OUTSIDE_MAX - 1};
  for (size_t i = 0; i < census->outside_count; i++)
    name_slot(census, &census->outside[i]);
  acre_thread_each(name_locals_of, &locals);
}

/* -- The collected heap ------------------------------------------------------------------------ */

struct collected_walk {
  struct acre_census *census;
  const heap *heap;
};

static void count_cell(const cell *c, void *context) {
  const struct collected_walk *walk = context;
  const object_view object = cell_object(walk->heap, c);
  add(walk->census, acre_census_word(ACRE_CENSUS_COLLECTED, 0), c->is_big ? 0 : c->size,
      (uintptr_t)object.site, 0, object.size);
}

static void look_at_collected(struct acre_census *census) {
  acre_heap_composition c;
  if (!acre_gc_process_exists() || acre_self.is_in_collected)
    return;
  acre_gc_use use = acre_gc_process_enter();
  acre_heap_get_composition(&use.heap->head, &c);
  acre_gc_each_object(use.heap, count_cell, &(struct collected_walk){census, use.heap});
  acre_gc_process_leave(&use);
  census->has_collected = true;
  census->collected_limit = c.limit;
  census->collected_useful = c.useful;
  census->collected_headers = c.headers;
  census->collected_padding = c.padding;
}

/* -- All --------------------------------------------------------------------------------------- */

const char *acre_census_take(struct acre_census *census, uintptr_t frame) {
  static const char out_of_memory[] = "there is not enough memory";
  const char *obstacle = acre_gc_world_obstacle();
  if (obstacle)
    return obstacle;
  acre_thread_find_stack();
  acre_settle_lazy(frame);
  acre_pin_settle();
  look_at_collected(census);
  if (!look_at_regions(census, frame))
    return out_of_memory;
  name_referrers(census, frame);
  const bool is_short =
      census->tallies.is_short || census->sites.is_short || census->texts.is_short;
  return is_short ? out_of_memory : NULL;
}

static void give_back(void *table, size_t size) {
  if (table)
    acre_os_unreserve(table, size);
}

void acre_census_end(struct acre_census *census) {
  acre_tally_end(&census->tallies);
  acre_tally_end(&census->sites);
  acre_tally_end(&census->texts);
  give_back(census->regions, census->region_capacity * sizeof *census->regions);
  give_back(census->names, census->name_capacity);
  give_back(census->outside, ACRE_CENSUS_OUTSIDE_MAX * sizeof *census->outside);
  give_back(census->text, TEXTS_MAX * ACRE_CENSUS_TEXT_BYTES);
  *census = (struct acre_census){0};
}
