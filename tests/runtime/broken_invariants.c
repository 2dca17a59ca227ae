/* broken_invariants.c - small programs, written as acre-cc would compile them, for a runtime that
 * breaks an invariant.
 *
 * usage: broken_invariants SCENARIO; broken_invariants.py says which.  On a sound runtime each ends
 * with status 0. */
#define ACRE_NO_SHORT_NAMES
#include <acre/abi.h>
#include <acre/collected.h>
#include <acre/heap.h>
#include <acre/region.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
};
static const acre_slot slots[] = {{0, 1, sizeof(void *), ACRE_SLOT_PLAIN, "next"}};
static const acre_type type = {
    "struct node", sizeof(struct node), _Alignof(struct node), 1, 1, 0, slots, NULL, NULL};
static const acre_site site = {&type, __FILE__, "make", __LINE__};
#define HERE __FILE__

/* As in a program that is linked with -facre-malloc=collected. */
extern const bool acre_rt_gc_is_linked;
const bool acre_rt_gc_is_linked = true;

static struct node *global;

static struct node *make(acre_region region) {
  return acre_region_alloc(region, sizeof(struct node), _Alignof(struct node), &site);
}

static void store(struct node **slot, struct node *value) {
  *slot = value;
  acre_rt_store(slot, value);
}

/* A reference that comes and goes. */
static int reference(void) {
  acre_region region = acre_region_new(HERE);
  store(&global, make(region));
  store(&global, NULL);
  return !acre_region_delete(region, HERE);
}

/* An object that still refers to another region when it goes. */
static int reference_from_what_goes(void) {
  acre_region from = acre_region_new(HERE), to = acre_region_new(HERE);
  store(&make(from)->next, make(to));
  return !acre_region_delete(from, HERE) || !acre_region_delete(to, HERE);
}

/* Three regions in turn, so that entries are used again. */
static int reuse(void) {
  acre_region first = acre_region_new(HERE);
  acre_region_delete(first, HERE);
  acre_region second = acre_region_new(HERE), third = acre_region_new(HERE);
  return acre_region_is_live(first) || !acre_region_delete(second, HERE) ||
         !acre_region_delete(third, HERE);
}

/* A region and one below it, deleted together. */
static int subregion(void) {
  acre_region parent = acre_region_new(HERE), both[] = {acre_region_new_sub(parent, HERE), parent};
  return !acre_region_delete_array(2, both, HERE);
}

static int only_subregion(void) {
  acre_region parent = acre_region_new(HERE), child = acre_region_new_sub(parent, HERE);
  return !acre_region_delete(child, HERE) || !acre_region_delete(parent, HERE);
}

static const acre_rt_pin_entry entries[] = {{"node", 0, 0, 0, 0}};
static const acre_rt_pin_site pin_site = {{__FILE__, "pin", __LINE__}, 1, entries, 1};

/* A local that is live across a delete that does not go, and dead across the next. */
static int pin(void) {
  acre_region region = acre_region_new(HERE);
  struct {
    void *reserved[2];
    const acre_rt_pin_site *site;
    void *values[1];
  } frame = {.values = {make(region)}};
  acre_region_set_delete_policy(region, ACRE_DELETE_REFUSE);
  acre_rt_pin((acre_rt_pin_frame *)&frame, &pin_site);
  if (acre_region_delete(region, HERE))
    return 1;
  acre_rt_unpin((acre_rt_pin_frame *)&frame);
  return !acre_region_delete(region, HERE);
}

/* A store upwards is remembered; the entry below is used for a region that is not below. */
static int relation(void) {
  acre_region parent = acre_region_new(HERE), child = acre_region_new_sub(parent, HERE);
  store(&make(child)->next, make(parent));
  acre_region_delete(child, HERE);
  acre_region other = acre_region_new(HERE);
  store(&make(other)->next, make(parent));
  return !acre_region_delete(other, HERE) || !acre_region_delete(parent, HERE);
}

/* A list of the collected heap, of which the first half is dropped between two collections. */
static void drop_half_a_list(acre_heap_kind kind) {
  acre_heap_config config = acre_heap_preset(kind);
  acre_heap *heap = acre_heap_new(&config);
  struct node *list = NULL;
  ACRE_HEAP_FRAME(heap, frame, &list);
  for (int i = 0; i < 1000; i++) {
    struct node *first = acre_heap_alloc(heap, sizeof *first, _Alignof(struct node), &site);
    acre_heap_store(heap, &first->next, list);
    list = first;
  }
  acre_heap_collect(heap);
  for (int i = 0; i < 500; i++)
    list = list->next;
  acre_heap_collect(heap);
  acre_heap_pop(heap, &frame);
  acre_heap_delete(heap);
}

static int collected_list(void) {
  drop_half_a_list(ACRE_HEAP_ACRE);  /* colours in bitmaps */
  drop_half_a_list(ACRE_HEAP_TM_BL); /* in rings */
  return 0;
}

/* While a collection marks a list, its last objects are stored into another object. */
static int collected_stores(void) {
  static struct node *all[10000];
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.is_incremental = true;
  acre_heap *heap = acre_heap_new(&config);
  struct node *list = NULL, *other = NULL;
  ACRE_HEAP_FRAME(heap, frame, &list, &other);
  other = acre_heap_alloc(heap, sizeof *other, _Alignof(struct node), &site);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    all[i] = acre_heap_alloc(heap, sizeof *all[i], _Alignof(struct node), &site);
    acre_heap_store(heap, &all[i]->next, list);
    list = all[i];
  }
  acre_heap_collect_start(heap);
  for (size_t i = 0; !acre_heap_collect_some(heap); i++)
    acre_heap_store(heap, &other->next, all[i]);
  acre_heap_pop(heap, &frame);
  acre_heap_delete(heap);
  return 0;
}

/* An object that is given to the program once more when nothing refers to it. */
static int finalizable(void) {
  acre_heap *heap = acre_heap_new(NULL);
  void *object = acre_heap_alloc(heap, sizeof(struct node), _Alignof(struct node), &site);
  acre_heap_set_finalizable(heap, object);
  acre_heap_collect(heap);
  if (acre_heap_next_finalizable(heap) != object || acre_heap_next_finalizable(heap))
    return 1;
  acre_heap_collect(heap);
  acre_heap_delete(heap);
  return 0;
}

/* A collection while the thread has cells that it has taken and not given out. */
static int collected_cache(void) {
  acre_rt_gc_prepare();
  void *object = acre_rt_gc_malloc(sizeof(struct node));
  acre_collected_collect();
  return !object;
}

static const struct {
  const char *name;
  int (*run)(void);
} scenarios[] = {
    {"reference", reference},
    {"reference_from_what_goes", reference_from_what_goes},
    {"reuse", reuse},
    {"subregion", subregion},
    {"pin", pin},
    {"only_subregion", only_subregion},
    {"relation", relation},
    {"collected_list", collected_list},
    {"collected_stores", collected_stores},
    {"finalizable", finalizable},
    {"collected_cache", collected_cache},
};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof scenarios / sizeof *scenarios; i++)
    if (strcmp(argv[1], scenarios[i].name) == 0)
      return scenarios[i].run();
  return 2;
}
