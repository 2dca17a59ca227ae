/* model.h - what a random program knows about itself.
 *
 * Invariant: objects[o].content[k] is the object that slot k of object o points into, and
 * regions[r].expected is the number of plain and union slots outside region r and the regions below
 * it whose content is an object in r: what acre_region_count(r) must be whenever no operation is
 * under way.  The model holds no pointers: addresses are kept exclusive-ored with a mask, so that
 * Acre neither counts nor pins them.
 *
 * A walk is a list of steps.  Each step draws its random numbers from its own number, so any part
 * of a walk is a walk.
 */
#ifndef ACRE_TEST_MODEL_H
#define ACRE_TEST_MODEL_H

#include <acre/region.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { MAX_REGIONS = 10, MAX_OBJECTS = 120, MAX_SLOTS = 256, MAX_ELEMENTS = 6 };
enum { TRADITIONAL = -1 }; /* in the place of a region: outside all regions */
enum {
  NOTHING = -1,
  NOT_A_POINTER = -2
}; /* in the place of an object: null; a union that holds a number */
enum rule { PLAIN, SAMEREGION, PARENTPTR, TRADITIONAL_ONLY, UNION };
enum home { IN_REGION, IN_MALLOC, IN_STATIC };

struct slot_info {
  unsigned offset;
  enum rule rule;
};
struct type_info {
  size_t size, align;
  int slot_count,
      flexible_slot_count; /* of one element; of one element of the flexible array member */
  size_t flexible_offset, flexible_stride;
  const struct slot_info *slots, *flexible_slots;
  void (*clear)(void *element, int slot); /* stores null, by the type's own lvalue */
};
struct object {
  int region, type, elements, flexible;
  enum home home;
  bool live;
  size_t bytes;
  uintptr_t hidden;
  int content[MAX_SLOTS];
};
struct region_model {
  bool live;
  region handle;
  int parent;
  long expected;
};

typedef void operation(void) deletes;
struct named_operation {
  const char *name;
  operation *run;
};

/* Given by the generated program. */
static const struct type_info types[];
static const struct named_operation operations[];
static const int operation_count;
static const unsigned program_seed;
static void add_statics(void);

static struct object objects[MAX_OBJECTS];
static struct region_model regions[MAX_REGIONS];
static unsigned long random_state, walk_seed, step_now, checksum = 14695981039346656037ul;
static unsigned long deletes_accepted, deletes_refused, slots_changed;
static const char *operation_now = "start";
static const uintptr_t mask = 0x5a5ac3c300000000u;

__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "program seed %u, walk %lu, step %lu, %s: ", program_seed, walk_seed, step_now,
          operation_now);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

/* -- Random numbers
 * ------------------------------------------------------------------------------------------ */

static unsigned long next_random(void) {
  unsigned long z = random_state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
static int rnd(int below) { return (int)(next_random() % (unsigned)below); }

/* -- Objects
 * -------------------------------------------------------------------------------------------------
 */

static void *reveal(int o) { return (void *)(objects[o].hidden ^ mask); }

static unsigned slot_offset(int o, int k) {
  const struct type_info *t = &types[objects[o].type];
  int fixed = objects[o].elements * t->slot_count;
  if (k < fixed)
    return k / t->slot_count * t->size + t->slots[k % t->slot_count].offset;
  k -= fixed;
  return t->flexible_offset + k / t->flexible_slot_count * t->flexible_stride +
         t->flexible_slots[k % t->flexible_slot_count].offset;
}
static enum rule slot_rule(int o, int k) {
  const struct type_info *t = &types[objects[o].type];
  int fixed = objects[o].elements * t->slot_count;
  return k < fixed ? t->slots[k % t->slot_count].rule
                   : t->flexible_slots[(k - fixed) % t->flexible_slot_count].rule;
}
static int slot_total(int o) {
  const struct type_info *t = &types[objects[o].type];
  return objects[o].elements * t->slot_count + objects[o].flexible * t->flexible_slot_count;
}

static int find_free_object(void) {
  for (int o = 0; o < MAX_OBJECTS; o++)
    if (!objects[o].live)
      return o;
  return NOTHING;
}
static int add_object(enum home home, int r, int type, int elements, int flexible, size_t bytes,
                      void *address) {
  int o = find_free_object();
  objects[o] = (struct object){.region = r,
                               .type = type,
                               .elements = elements,
                               .flexible = flexible,
                               .home = home,
                               .live = true,
                               .bytes = bytes,
                               .hidden = (uintptr_t)address ^ mask};
  for (int k = 0; k < MAX_SLOTS; k++)
    objects[o].content[k] = NOTHING;
  return o;
}

/* A live object of a type (any: -1) in a home (any: -1); NOTHING if there is none. */
static int pick_object(int type, int home) {
  for (int o = rnd(MAX_OBJECTS), tries = 0; tries < MAX_OBJECTS; tries++, o = (o + 1) % MAX_OBJECTS)
    if (objects[o].live && (type < 0 || objects[o].type == type) &&
        (home < 0 || objects[o].home == (enum home)home))
      return o;
  return NOTHING;
}
static int pick_region(void) {
  for (int r = rnd(MAX_REGIONS), tries = 0; tries < MAX_REGIONS; tries++, r = (r + 1) % MAX_REGIONS)
    if (regions[r].live)
      return r;
  return NOTHING;
}
static bool is_ancestor(int ancestor, int r) {
  for (; r >= 0; r = regions[r].parent)
    if (r == ancestor)
      return true;
  return false;
}
static bool is_legal(enum rule rule, int holder, int target) {
  if (target < 0)
    return true;
  int r = objects[target].region;
  switch (rule) {
  case SAMEREGION:
    return holder >= 0 && r == holder;
  case PARENTPTR:
    return holder >= 0 && r >= 0 && is_ancestor(r, holder);
  case TRADITIONAL_ONLY:
    return r < 0;
  default:
    return true;
  }
}
/* What a slot under rule, held in region holder, may point to: an object that is not freed singly,
 * or NOTHING. */
static int pick_target(enum rule rule, int holder) {
  for (int tries = 0; tries < 8; tries++) {
    int t = pick_object(-1, -1);
    if (t >= 0 && objects[t].home != IN_MALLOC && is_legal(rule, holder, t))
      return rnd(5) ? t : NOTHING;
  }
  return NOTHING;
}
/* An object that the rule forbids in holder, or NOTHING. */
static int pick_forbidden(enum rule rule, int holder) {
  for (int tries = 0; tries < 8; tries++) {
    int t = pick_object(-1, IN_REGION);
    if (t >= 0 && !is_legal(rule, holder, t))
      return t;
  }
  return NOTHING;
}
/* A pointer to the object, into it, or just past it. */
static void *point_into(int target) {
  if (target < 0)
    return 0;
  char *base = reveal(target);
  switch (rnd(4)) {
  case 0:
    return base + rnd((int)objects[target].bytes + 1);
  case 1:
    return base + objects[target].bytes;
  default:
    return base;
  }
}

/* -- The model of a store
 * ---------------------------------------------------------------------------------------- */

static void count_slot(int o, int k, int change) {
  int t = objects[o].content[k];
  enum rule rule = slot_rule(o, k);
  if (t < 0 || (rule != PLAIN && rule != UNION))
    return;
  int r = objects[t].region;
  if (r >= 0 && !is_ancestor(r, objects[o].region))
    regions[r].expected += change;
}
static void model_set(int o, int k, int target) {
  slots_changed += objects[o].content[k] != target;
  count_slot(o, k, -1);
  objects[o].content[k] = target;
  count_slot(o, k, 1);
}
static void model_copy(int to, int k_to, int from, int k_from, int count) {
  int saved[MAX_SLOTS];
  memcpy(saved, objects[from].content + k_from, count * sizeof *saved);
  for (int i = 0; i < count; i++)
    model_set(to, k_to + i, saved[i]);
}
/* Nulls those of count slots of from that would break their rule in a holder: a region's number or
 * TRADITIONAL. */
static void make_legal_in(int from, int k_from, int count, int holder) {
  const struct type_info *t = &types[objects[from].type];
  for (int k = k_from; k < k_from + count; k++)
    if (!is_legal(slot_rule(from, k), holder, objects[from].content[k])) {
      t->clear((char *)reveal(from) + k / t->slot_count * t->size, k % t->slot_count);
      model_set(from, k, NOTHING);
    }
}
static void make_legal(int from, int k_from, int count, int to) {
  make_legal_in(from, k_from, count, objects[to].region);
}
/* For a copy on the stack that other functions can reach. */
static void make_legal_on_stack(int from, int k_from, int count) {
  make_legal_in(from, k_from, count, TRADITIONAL);
}
static void drop_object(int o) {
  for (int k = slot_total(o); k-- > 0;)
    model_set(o, k, NOTHING);
  objects[o].live = false;
}

/* -- Comparison
 * -------------------------------------------------------------------------------------------------
 */

static void compare_counts(void) {
#ifdef __ACRE__
  for (int r = 0; r < MAX_REGIONS; r++) {
    if (!regions[r].live)
      continue;
    long count = (long)acre_region_count(regions[r].handle);
    if (count == regions[r].expected)
      continue;
    acre_region_report(regions[r].handle, 2, 20);
    for (int o = 0; o < MAX_OBJECTS; o++)
      for (int k = 0; objects[o].live && k < slot_total(o); k++)
        if (objects[o].content[k] >= 0 && objects[objects[o].content[k]].region == r &&
            !is_ancestor(r, objects[o].region))
          fprintf(stderr, "model: type %d at %p, home %d, slot at %p, rule %d\n", objects[o].type,
                  reveal(o), objects[o].home, (void *)((char *)reveal(o) + slot_offset(o, k)),
                  slot_rule(o, k));
    fail("the count of region %d is %ld, the model says %ld", r, count, regions[r].expected);
  }
#endif
}
static void compare_contents(int o) {
  for (int k = slot_total(o); k-- > 0;) {
    uintptr_t word;
    int t = objects[o].content[k];
    memcpy(&word, (char *)reveal(o) + slot_offset(o, k), sizeof word);
    uintptr_t base = t < 0 ? 0 : (uintptr_t)reveal(t);
    if (t != NOT_A_POINTER && (word < base || word > base + (t < 0 ? 0 : objects[t].bytes)))
      fail("slot %d of object %d (type %d) holds %#lx, not object %d", k, o, objects[o].type, word,
           t);
    checksum = (checksum ^ (unsigned)(t * 7919 + k)) * 1099511628211ul;
  }
}

/* -- Regions
 * -------------------------------------------------------------------------------------------------
 */

static void make_region(int parent) {
  int r = 0;
  while (r < MAX_REGIONS && regions[r].live)
    r++;
  if (r == MAX_REGIONS)
    return;
  region handle = parent < 0 ? newregion() : newsubregion(regions[parent].handle);
  acre_region_set_delete_policy(handle, ACRE_DELETE_REFUSE);
  regions[r] = (struct region_model){.live = true, .handle = handle, .parent = parent};
}
static bool has_children(int r) {
  for (int c = 0; c < MAX_REGIONS; c++)
    if (regions[c].live && regions[c].parent == r)
      return true;
  return false;
}
static bool is_deletable(int r) { return regions[r].expected == 0 && !has_children(r); }
/* Whether the regions of the set (a bit each) can be deleted together. */
static bool is_set_deletable(unsigned set) {
  for (int r = 0; r < MAX_REGIONS; r++)
    if (regions[r].live && !(set >> r & 1) && regions[r].parent >= 0 &&
        (set >> regions[r].parent & 1))
      return false;
  for (int o = 0; o < MAX_OBJECTS; o++) {
    if (!objects[o].live || (objects[o].region >= 0 && (set >> objects[o].region & 1)))
      continue;
    for (int k = slot_total(o); k-- > 0;) {
      int t = objects[o].content[k], r = t < 0 ? TRADITIONAL : objects[t].region;
      if (r >= 0 && (set >> r & 1))
        return false;
    }
  }
  return true;
}
/* The regions of the set are gone, and what is in them. */
static void forget_regions(unsigned set) {
  for (int pass = 0; pass < 2; pass++)
    for (int o = 0; o < MAX_OBJECTS; o++)
      if (objects[o].live && objects[o].region >= 0 && (set >> objects[o].region & 1)) {
        if (pass)
          objects[o].live = false;
        else
          for (int k = slot_total(o); k-- > 0;)
            model_set(o, k, NOTHING);
      }
  for (int r = 0; r < MAX_REGIONS; r++)
    if (set >> r & 1)
      regions[r].live = false;
}
/* The delete returned; it ought to have succeeded exactly if expected. */
static void conclude_delete(unsigned set, bool returned, bool expected) {
  if (returned != expected)
    fail("deleting the set %#x returned %d, the model says %d", set, returned, expected);
  if (returned)
    forget_regions(set);
  deletes_accepted += returned;
  deletes_refused += !returned;
}
/* Without Acre a delete that must be refused is not tried. */
#ifdef __ACRE__
#define TRY_DELETE(expected, call) (call)
#else
#define TRY_DELETE(expected, call) ((expected) && (call))
#endif
/* Whether the statement, run in a child process, aborts. */
#define ABORTS(statement)                                 \
  ({                                                      \
    pid_t child_ = fork();                                \
    if (child_ == 0) {                                    \
      close(2);                                           \
      statement;                                          \
      _exit(0);                                           \
    }                                                     \
    int status_ = 0;                                      \
    waitpid(child_, &status_, 0);                         \
    WIFSIGNALED(status_) && WTERMSIG(status_) == SIGABRT; \
  })

/* -- Helpers of operations
 * --------------------------------------------------------------------------------------------- */

static void nothing(void *p) { (void)p; }
/* Called with the address of a local, makes it leave its function. */
static void (*volatile expose)(void *) = nothing;
static NOINLINE void put(void **slot, void *value) { *slot = value; }
static NOINLINE void put_variadic(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  while (count-- > 0) {
    void **slot = va_arg(arguments, void **);
    *slot = va_arg(arguments, void *);
  }
  va_end(arguments);
}
static NOINLINE bool delete_one(int r) deletes { return deleteregion(regions[r].handle); }
static bool (*volatile delete_indirectly)(int) deletes = delete_one;

/* -- The walk
 * -------------------------------------------------------------------------------------------------
 */

static void run_step(unsigned long step) deletes {
  step_now = step;
  random_state = walk_seed * 0x2545f4914f6cdd1d + step * 0x9e3779b97f4a7c15;
  const struct named_operation *chosen = &operations[rnd(operation_count)];
  operation_now = chosen->name;
  chosen->run();
  compare_counts();
  int o = pick_object(-1, -1);
  if (o >= 0)
    compare_contents(o);
}

static void finish(void) deletes {
  operation_now = "finish";
  for (int o = 0; o < MAX_OBJECTS; o++)
    if (objects[o].live)
      compare_contents(o);
#ifdef __ACRE__
  if (!acre_verify())
    fail("acre_verify found a difference");
#endif
  unsigned set = 0;
  region handles[MAX_REGIONS];
  size_t count = 0;
  for (int o = 0; o < MAX_OBJECTS; o++)
    for (int k = slot_total(o); objects[o].live && objects[o].home != IN_REGION && k-- > 0;) {
      const struct type_info *t = &types[objects[o].type];
      if (k < objects[o].elements * t->slot_count) {
        t->clear((char *)reveal(o) + k / t->slot_count * t->size, k % t->slot_count);
        model_set(o, k, NOTHING);
      }
    }
  for (int o = 0; o < MAX_OBJECTS; o++)
    if (objects[o].live && objects[o].home == IN_MALLOC) {
      free(reveal(o));
      drop_object(o);
    }
  compare_counts();
  for (int r = 0; r < MAX_REGIONS; r++)
    if (regions[r].live) {
      set |= 1u << r;
      handles[count++] = regions[r].handle;
    }
  if (count)
    conclude_delete(set, deleteregion_array(count, handles), true);
}

/* usage: program WALK STEPS, or program WALK STEPS STEP... for chosen steps */
static int run_walk(int argc, char **argv, const int *embedded, int embedded_count) deletes {
  walk_seed = argc > 1 ? strtoul(argv[1], 0, 10) : walk_seed;
  unsigned long steps = argc > 2 ? strtoul(argv[2], 0, 10) : 10000;
  add_statics();
  if (argc > 3)
    for (int i = 3; i < argc; i++)
      run_step(strtoul(argv[i], 0, 10));
  else if (embedded_count)
    for (int i = 0; i < embedded_count; i++)
      run_step((unsigned long)embedded[i]);
  else
    for (unsigned long step = 0; step < steps; step++)
      run_step(step);
  finish();
  printf("deletes accepted %lu, refused %lu, slots changed %lu, checksum %lx\n", deletes_accepted,
         deletes_refused, slots_changed, checksum);
  return 0;
}

#endif
