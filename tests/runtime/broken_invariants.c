/* broken_invariants.c - small programs, written as acre-cc would compile them, for a runtime that
 * breaks an invariant.
 *
 * usage: broken_invariants SCENARIO; broken_invariants.py says which.  On a sound runtime each ends
 * with status 0. */
#define ACRE_NO_SHORT_NAMES
#include <acre/abi.h>
#include <acre/region.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
};
static const acre_slot slots[] = {{0, 1, sizeof(void *), ACRE_SLOT_PLAIN, "next"}};
static const acre_type type = {
    "struct node", sizeof(struct node), _Alignof(struct node), 1, 1, 0, slots, NULL};
static const acre_site site = {&type, __FILE__, "make", __LINE__};
#define HERE __FILE__

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

static const acre_rt_pin_entry entries[] = {{"node", 0, 0}};
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
};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof scenarios / sizeof *scenarios; i++)
    if (strcmp(argv[1], scenarios[i].name) == 0)
      return scenarios[i].run();
  return 2;
}
