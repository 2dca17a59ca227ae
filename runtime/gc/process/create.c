/* SPDX-License-Identifier: MIT */
/* create.c - configurations and the life of a heap. */
#include <string.h>

#include "gc/cycle/pace.h"
#include "gc/cycle/roots.h"
#include "gc/heap/cell.h"
#include "gc/heap/heap.h"
#include "gc/heap/ring.h"
#include "gc/heap/space.h"
#include "gc/linux/dirty.h"
#include "gc/linux/root_memory.h"
#include "gc/trace/trace.h"
#include "platform/memory_limit.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

#define DEFAULT_LIMIT ((size_t)64 << 20)
#define DEFAULT_RATIO 200
#define OUR_RATIO                                                                               \
  400 /* what is allocated while a collection runs stays for the next: the shorter it runs, the \
         less */
#define DEFAULT_INCREMENT_OBJECTS 1500 /* the paper's */
#define DEFAULT_INCREMENT_WORDS 6000
#define OUR_INCREMENT_WORDS                                                                      \
  3000 /* 100 ns each, where every one misses the caches; a word of all that 1.5 increments mark \
        */
#define DEFAULT_INCREMENT_BYTES 4096
/* What 32-bit links and page numbers reach. */
#define LIMIT_MAX_HALF ((size_t)1 << 35)
#define LIMIT_MAX ((size_t)1 << 37)

/* -- Configurations ---------------------------------------------------------------------------- */

/* Sizes for programs about which nothing is known: no step above a quarter, and from 512 on what
   divides a page with little left.  The second list keeps objects aligned to 16 with headers of two
   words. */
static const uint32_t sizes_by_8[] = {16,  24,   32,   40,   48,   56,   64,   72,   80,  96,  112,
                                      128, 160,  192,  224,  256,  320,  384,  448,  512, 584, 680,
                                      816, 1024, 1168, 1360, 1632, 2048, 2728, 4096, 8192};
static const uint32_t sizes_by_16[] = {32,  48,   64,   80,   96,   112,  128,  144,  160,
                                       192, 224,  256,  320,  384,  448,  512,  576,  672,
                                       816, 1024, 1168, 1360, 1632, 2048, 2720, 4096, 8192};

static void choose_sizes(acre_heap_config *c) {
  const uint32_t *sizes = c->header_words == 2 ? sizes_by_16 : sizes_by_8;
  size_t count =
      c->header_words == 2 ? sizeof sizes_by_16 / sizeof *sizes : sizeof sizes_by_8 / sizeof *sizes;
  size_t least = c->header_words * sizeof(uint64_t) + 8;
  for (; *sizes < least; sizes++)
    count--;
  c->cell_sizes = sizes;
  c->cell_size_count = count;
}

static const char *const kind_names[] = {"TM_BL",  "TM_PM",   "TM_RM", "TM_RT",     "FLS",
                                         "FLS-PH", "FLS-PH1", "ALS",   "ALS-PH",    "ALS-PH1",
                                         "FLS-PF", "FLS-PF2", "ACRE",  "ACRE-LINKS"};
_Static_assert(sizeof kind_names / sizeof *kind_names == ACRE_HEAP_KIND_COUNT,
               "each kind has a name");

const char *acre_heap_kind_name(acre_heap_kind kind) {
  return (unsigned)kind < ACRE_HEAP_KIND_COUNT ? kind_names[kind] : NULL;
}

acre_heap_config acre_heap_preset(acre_heap_kind kind) {
  acre_heap_config c = {.header_words = 3};
  if ((unsigned)kind >= ACRE_HEAP_KIND_COUNT)
    acre_os_fatal("there is no heap configuration %d", (int)kind);
  c.uses_big_objects = c.uses_migration = kind != ACRE_HEAP_TM_BL;
  c.remap = kind == ACRE_HEAP_TM_BL || kind == ACRE_HEAP_TM_PM ? ACRE_HEAP_REMAP_NONE
                                                               : ACRE_HEAP_REMAP_EAGER;
  bool is_ours = kind == ACRE_HEAP_ACRE || kind == ACRE_HEAP_ACRE_LINKS;
  c.is_incremental = kind == ACRE_HEAP_TM_RT || is_ours;
  if (kind == ACRE_HEAP_FLS_PH || kind == ACRE_HEAP_ALS_PH || kind == ACRE_HEAP_ACRE_LINKS)
    c.header_words = 2;
  c.uses_bitmaps = kind == ACRE_HEAP_ACRE;
  if (c.uses_bitmaps)
    c.increment_words = OUR_INCREMENT_WORDS;
  if (kind == ACRE_HEAP_FLS_PH1 || kind == ACRE_HEAP_ALS_PH1 || c.uses_bitmaps)
    c.header_words = 1;
  if (kind == ACRE_HEAP_FLS_PF)
    c.fill = ACRE_HEAP_FILL_EAGER;
  if (kind == ACRE_HEAP_FLS_PF2 || kind == ACRE_HEAP_ACRE_LINKS)
    c.fill = ACRE_HEAP_FILL_LAST;
  if (is_ours) {
    c.remap = ACRE_HEAP_REMAP_LAZY;
    c.growth_percent = 100;
    c.gc_ratio_percent = OUR_RATIO;
  }
  if (kind == ACRE_HEAP_ALS || kind == ACRE_HEAP_ALS_PH || kind == ACRE_HEAP_ALS_PH1 || is_ours)
    choose_sizes(&c);
  return c;
}

static void set_defaults(acre_heap_config *c) {
  c->name = c->name ? c->name : "unnamed";
  if (!c->limit && !c->limit_max && c->growth_percent) {
    uint64_t most = acre_memory_limit() / 4 * 3,
             reach = c->header_words == 1 ? LIMIT_MAX : LIMIT_MAX_HALF;
    c->limit_max = most < reach ? most : reach;
    c->limit = c->limit_max < DEFAULT_LIMIT ? c->limit_max : DEFAULT_LIMIT;
    c->when_behind = ACRE_HEAP_BEHIND_GROW;
  }
  c->limit = c->limit ? c->limit : DEFAULT_LIMIT;
  c->limit_max = c->limit_max > c->limit ? c->limit_max : c->limit;
  c->header_words = c->header_words ? c->header_words : 3;
  c->gc_ratio_percent = c->gc_ratio_percent ? c->gc_ratio_percent : DEFAULT_RATIO;
  c->increment_objects = c->increment_objects ? c->increment_objects : DEFAULT_INCREMENT_OBJECTS;
  c->increment_words = c->increment_words ? c->increment_words : DEFAULT_INCREMENT_WORDS;
  c->increment_bytes = c->increment_bytes ? c->increment_bytes : DEFAULT_INCREMENT_BYTES;
}

static void reject(const acre_heap_config *c, const char *why) {
  acre_os_fatal("heap \"%s\": the configuration makes no sense: %s", c->name, why);
}

static void check_config(const acre_heap_config *c) {
  if (c->header_words > 3)
    reject(c, "header_words may be 1, 2 or 3");
  if (c->limit < ACRE_PAGE_SIZE)
    reject(c, "the limit is less than a page of 8192 bytes");
  if (c->remap && !c->uses_big_objects)
    reject(c, "remap moves frames to big objects, but uses_big_objects is false");
  if (c->header_words == 1 && !c->uses_big_objects)
    reject(c, "headers of one word need uses_big_objects: their links do not reach past 32 MiB");
  if (c->limit_max > (c->header_words == 1 ? LIMIT_MAX : LIMIT_MAX_HALF))
    reject(c, c->header_words == 1 ? "limit_max is more than 128 GiB"
                                   : "limit_max is more than 32 GiB");
  if (c->growth_percent && (!c->uses_migration || !c->uses_big_objects))
    reject(
        c,
        "growth_percent returns free pages, which uses_migration and uses_big_objects keep apart");
  if (c->uses_bitmaps &&
      (c->header_words != 1 || !c->uses_big_objects || !c->uses_migration || c->fill))
    reject(c,
           "uses_bitmaps needs header_words 1, uses_big_objects and uses_migration, and no fill");
  if (c->fill && !c->uses_migration)
    reject(c, "fill needs the page lists of uses_migration");
  size_t least = c->header_words * sizeof(uint64_t) + 8;
  if (c->cell_size_count > CLASS_MAX)
    reject(c, "more than ACRE_HEAP_CLASS_MAX cell sizes");
  for (size_t i = 0; i < c->cell_size_count; i++)
    if (c->cell_sizes[i] % 8 || c->cell_sizes[i] < least || c->cell_sizes[i] > CELL_MAX ||
        (i && c->cell_sizes[i] <= c->cell_sizes[i - 1]))
      reject(c, "cell_sizes must be ascending multiples of 8, with room for a header and 8 bytes, "
                "up to 8192");
  if (c->cell_size_count && !c->uses_big_objects)
    reject(c, "cell_sizes needs uses_big_objects for what is larger");
}

/* -- Life -------------------------------------------------------------------------------------- */

static void add_class(heap *h, size_t size) {
  cell_class *c = &h->cells.classes[h->cells.class_count++];
  c->size = (uint32_t)size;
  c->page_count = (uint32_t)((size + ACRE_PAGE_SIZE - 1) >> ACRE_PAGE_SHIFT);
  c->cells = size < ACRE_PAGE_SIZE ? (uint32_t)((ACRE_PAGE_SIZE - h->cell_origin) / size) : 1;
  c->reciprocal = size <= CELL_MAX ? reciprocal_of((uint32_t)size) : 0;
  for (size_t i = 0; i < c->cells && h->uses_bitmaps; i++)
    bit_set(c->starts, (uint32_t)(i * size / CELL_MIN));
}

/* Behind a header of one word objects are aligned to 16 if every cell starts 8 bytes before such an
 * address. */
static size_t choose_origin(const acre_heap_config *c) {
  bool is_possible = c->uses_bitmaps && c->cell_size_count;
  for (size_t i = 0; i < c->cell_size_count; i++)
    is_possible &= c->cell_sizes[i] % 16 == 0 && c->cell_sizes[i] <= ACRE_PAGE_SIZE - 8;
  return is_possible ? 8 : 0;
}

static void make_classes(heap *h) {
  const acre_heap_config *c = &h->config;
  h->cell_origin = choose_origin(c);
  size_t least = 16;
  while (least < h->header_size + 8)
    least *= 2;
  for (size_t i = 0; i < c->cell_size_count; i++)
    add_class(h, c->cell_sizes[i]);
  size_t most = c->uses_big_objects ? CELL_MAX : c->limit_max;
  for (size_t size = least; !c->cell_size_count && size <= most && size <= UINT32_MAX; size *= 2)
    add_class(h, size);
  size_t class = 0;
  for (size_t i = 0; i <= CELL_MAX / 8; i++) {
    while (class < h->cells.class_count && h->cells.classes[class].size < i * 8)
      class++;
    h->cells.class_of[i] = (uint8_t)class;
  }
  h->natural_align = (h->header_size + h->cell_origin) % 16 == 0 ? 16 : 8;
  for (size_t i = 0; i < h->cells.class_count; i++)
    if (h->cells.classes[i].size % 16)
      h->natural_align = 8;
  h->config.cell_sizes = NULL; /* copied: the caller's may go */
}

/* Allocation is quick where an object lies right behind its header, which does not number its site,
 * and nobody looks. */
static void allow_quick_allocation(heap *h) {
  if (h->is_packed || h->is_checked || h->config.collects_each_allocation)
    return;
  for (size_t align = 1; align <= h->natural_align; align *= 2)
    h->cells.quick_aligns |= (uint32_t)1 << align;
  for (size_t words = 0; words <= QUICK_WORDS; words++)
    h->cells.quick_rings[words] =
        ring_at(h, 0, h->cells.class_of[h->header_size / 8 + (words ? words : 1)]);
  h->cells.cleared_classes =
      h->uses_bitmaps ? h->cells.class_of[h->header_size / 8 + QUICK_WORDS] + 1u : 0;
}

#define HEAP_PAGES ((sizeof(heap) + ACRE_WINDOW_PAGE_SIZE - 1) >> ACRE_WINDOW_PAGE_SHIFT)
#define SITES_BYTES (SITE_MAX * sizeof(const acre_site *))
#define SITE_TABLE_BYTES (2 * SITE_MAX * sizeof(uint32_t))
#define PROFILE_BYTES (PROFILE_SIZES * sizeof(uint64_t))

static void release(heap *h) {
  if (h->account.profile)
    acre_os_unreserve(h->account.profile, PROFILE_BYTES);
  if (h->cells.sites)
    acre_os_unreserve(h->cells.sites, SITES_BYTES);
  if (h->cells.site_table)
    acre_os_unreserve(h->cells.site_table, SITE_TABLE_BYTES);
  acre_gc_memory_end(h);
  acre_pages_free(h, HEAP_PAGES);
}

static bool make_tables(heap *h) {
  if ((h->account.profile = acre_os_table(PROFILE_BYTES)) == NULL)
    return false;
  if (h->is_packed && ((h->cells.sites = acre_os_table(SITES_BYTES)) == NULL ||
                       (h->cells.site_table = acre_os_table(SITE_TABLE_BYTES)) == NULL))
    return false;
  if (h->config.scans_memory && !acre_gc_memory_start(h))
    return false;
  return acre_gc_space_start(h);
}

static acre_heap *new_heap(acre_heap_config config) {
  heap *h = acre_pages_alloc(HEAP_PAGES, 0);
  if (!h)
    return NULL;
  h->config = config;
  h->thread = acre_thread_id();
  h->is_checked = acre_memory_is_checked();
  h->header_size = config.header_words * sizeof(uint64_t);
  h->second_link = (config.header_words - 1) * sizeof(uint64_t) / 2;
  h->tracks_pages = config.uses_migration;
  h->uses_bitmaps = config.uses_bitmaps;
  h->is_packed = config.header_words == 1 && !config.uses_bitmaps;
  h->space.limit_pages = h->pace.goal_pages = h->pace.last_goal_pages =
      config.limit >> ACRE_PAGE_SHIFT;
  h->watch.pagemap = -1;
  h->roots.no_frame.depth = 1;
  h->head.newest = &h->roots.no_frame;
  acre_gc_roots_forget(h);
  h->cycle.epoch = 2; /* a page that was never touched has 0, which is no recent one */
  make_classes(h);
  if (!make_tables(h)) {
    release(h);
    return NULL;
  }
  allow_quick_allocation(h);
  h->signature = HEAP_SIGNATURE;
  h->account.is_traced = config.trace != NULL;
  h->check = config.checks_each_increment ? acre_heap_check : NULL;
  acre_gc_trace_heap(h);
  acre_gc_pace_be_idle(h);
  return &h->head;
}

acre_heap *acre_heap_new(const acre_heap_config *given) {
  acre_heap_config config = given ? *given : acre_heap_preset(ACRE_HEAP_ACRE);
  bool is_ours = !config.limit && !config.limit_max;
  set_defaults(&config);
  check_config(&config);
  acre_heap *made = new_heap(config);
  /* A limit that the program did not choose is lowered to what address space there is. */
  while (!made && is_ours && config.limit_max / 2 >= config.limit) {
    config.limit_max /= 2;
    made = new_heap(config);
  }
  return made;
}

void acre_heap_delete(acre_heap *head) {
  if (!head)
    return;
  heap *h = acre_gc_heap_of(head);
  if (h->account.trace_number)
    acre_gc_trace_sample(h);
  h->signature = 0;
  h->thread = THREAD_NONE;
  acre_gc_dirty_forget(h);
  acre_gc_roots_end(h);
  acre_gc_space_end(h);
  release(h);
}

bool acre_heap_set_limit(acre_heap *head, size_t bytes) {
  heap *h = acre_gc_heap_of(head);
  size_t pages = bytes >> ACRE_PAGE_SHIFT;
  if (bytes > h->config.limit_max || pages < h->space.limit_pages)
    return false;
  h->space.limit_pages = pages;
  if (h->config.is_incremental && h->cycle.phase == PHASE_IDLE)
    pace_set_due(h, heap_clock(h)); /* the start condition has changed */
  return true;
}
