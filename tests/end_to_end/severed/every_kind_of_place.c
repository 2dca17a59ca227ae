// Under sever each kind of place that still points in becomes null, under trap an address outside
// of all regions; the delete is never refused, and what a frame holds, or the C library keeps, can
// be read afterwards.
// RUN: %each_level -o %t %s -- -DCOUNTED -lpthread
// RUN: %each_level -o %t %s -- -DCOUNTED -lpthread -DPOLICY=ACRE_DELETE_TRAP
// RUN: %acre-cc -O2 %s -o %t.frames -facre-frames=conservative -DCOUNTED -lpthread && %t.frames
// RUN: %acre-cc -O2 -fno-acre %s -o %t.norc -lpthread && %t.norc
#include "../Inputs/check.h"

#include <pthread.h>
#include <stdatomic.h>

#ifndef POLICY
#define POLICY ACRE_DELETE_SEVER
#endif

struct packed_pair {
  char first;
  node *pointer;
} __attribute__((packed));

struct annotated {
  struct node *sameregion same;
  node *parentptr up;
  node *plain;
};

static node *global, *array[3];
static _Thread_local node *of_thread;
static node *_Atomic atomic;
static struct packed_pair packed;
static union {
  node *pointer;
  long number;
} either;
static struct {
  long before;
  struct {
    node *inner[2];
  } deep;
} structure;

static int is_severed(node *p) {
  return POLICY == ACRE_DELETE_SEVER ? p == NULL
                                     : p != NULL && regionof(p) == traditional_region;
}
#define SEVERED(place) COUNTED_ONLY(is_severed(place))

static NOINLINE region make(void) {
  region r = newregion();
  acre_region_set_name(r, "severed");
  return r;
}

static NOINLINE void variables(void) deletes {
  region r = make();
  global = of_thread = packed.pointer = either.pointer = structure.deep.inner[1] = new_node(r);
  atomic_store(&atomic, new_node(r));
  for (int i = 0; i < 3; i++)
    array[i] = new_node(r);
  CHECK(deleteregion(r));
  CHECK(!acre_region_is_live(r));
  SEVERED(global);
  SEVERED(of_thread);
  SEVERED(packed.pointer);
  SEVERED(either.pointer);
  SEVERED(structure.deep.inner[1]);
  SEVERED(atomic_load(&atomic));
  for (int i = 0; i < 3; i++)
    SEVERED(array[i]);
  global = array[0] = array[1] = array[2] = of_thread = packed.pointer = either.pointer = NULL;
  structure.deep.inner[1] = NULL;
  atomic_store(&atomic, NULL);
}

static NOINLINE void memory(void) deletes {
  region r = make(), other = newregion();
  node *block = malloc(sizeof *block), *object = new_node(other);
  memset(block, 0, sizeof *block);
  opaque(block); /* else it is as good as a local to the optimizer */
  block->next = new_node(r);
  object->next = block->next->next = new_node(r);
  CHECK(deleteregion(r));
  SEVERED(block->next);
  SEVERED(object->next);
  free(block);
  CHECK(deleteregion(other));
}

/* The tree goes as one; what leads from one of it to another is not severed but goes. */
static NOINLINE void tree(void) deletes {
  region r = make(), sub = newsubregion(r), leaf = newsubregion(sub);
  node *inner = new_node(r);
  inner->next = new_node(leaf);
  inner->next->next = new_node(sub);
  global = inner->next;
  array[0] = inner;
  CHECK(deleteregion(r));
  COUNTED_ONLY(!acre_region_is_live(sub) && !acre_region_is_live(leaf));
  SEVERED(global);
  SEVERED(array[0]);
}

static NOINLINE long value_before(node *p) { return p->value; }

/* What is read before stays readable: pinned, or perhaps in a register that is not. */
static NOINLINE void frame_keeps_the_memory(void) deletes {
  region r = make();
  global = new_node(r);
  node *held = global;
  node *volatile exposed = global;
  opaque((void *)&exposed);
  CHECK(value_before(held) == 42);
  CHECK(deleteregion(r));
  SEVERED(global);
#ifdef COUNTED
  CHECK(held->value == 42);
  CHECK(exposed->value == 42);
#endif
}

static NOINLINE void delete_it(region r) deletes { CHECK(deleteregion(r)); }

static NOINLINE void frame_of_the_caller(void) deletes {
  region r = make();
  global = new_node(r);
  node *held = global;
  delete_it(r);
  COUNTED_ONLY(held->value == 42);
  SEVERED(global);
}

static pthread_key_t key;

static NOINLINE void what_the_library_keeps(void) deletes {
  region r = make();
  CHECK(pthread_key_create(&key, NULL) == 0);
  CHECK(pthread_setspecific(key, new_node(r)) == 0);
  CHECK(deleteregion(r));
  COUNTED_ONLY(((node *)pthread_getspecific(key))->value == 42);
  CHECK(pthread_setspecific(key, NULL) == 0);
}

static NOINLINE void cleared(void) deletes {
  region r = make(), sub = newsubregion(r);
  struct annotated *below = ralloc(sub, struct annotated);
  below->up = new_node(r);
  global = new_node(r);
  CHECK(acre_region_clear(r, ACRE_SUBREGIONS_KEEP, ACRE_HERE));
  CHECK(acre_region_is_live(sub) && strcmp(acre_region_name(r), "severed") == 0);
  SEVERED(global);
  COUNTED_ONLY(below->up == NULL);
  below->up = array[1] = new_node(r);
  CHECK(clearregion(r));
  SEVERED(array[1]);
  CHECK(deleteregion(r));
}

static NOINLINE void given_back(void) deletes {
  region r = make();
  node *holder = new_node(r);
  holder->next = new_node(r);
  global = holder->next;
  CHECK(acre_region_release(r, holder->next));
  SEVERED(global);
  SEVERED(holder->next);
  CHECK(deleteregion(r));
}

static NOINLINE void together(void) deletes {
  region both[] = {make(), newregion()};
  new_node(both[0])->next = new_node(both[1]);
  global = new_node(both[1]);
  CHECK(acre_region_delete_array(2, both, ACRE_HERE));
  SEVERED(global);
}

/* A region of its own policy, and its subregions, which have none. */
static NOINLINE void policy_of_one_region(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region r = newregion(), sub = newsubregion(r), other = newregion();
  acre_region_set_delete_policy(r, POLICY);
  global = new_node(sub);
  array[0] = new_node(other);
  CHECK(deleteregion(r));
  SEVERED(global);
  COUNTED_ONLY(!deleteregion(other) && array[0]->value == 42);
  acre_set_delete_policy(POLICY);
#ifdef COUNTED
  CHECK(deleteregion(other));
#endif
}

static atomic_int stage;
static _Thread_local node *kept_by_thread;

static void *other_thread(void *argument) {
  kept_by_thread = global;
  node *held = global;
  atomic_store(&stage, 1);
  while (atomic_load(&stage) != 2)
    ;
  SEVERED(kept_by_thread);
  COUNTED_ONLY(held->value == 42);
  return argument;
}

static NOINLINE void threads(void) deletes {
  region r = make();
  pthread_t thread;
  global = new_node(r);
  CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
  while (atomic_load(&stage) != 1)
    ;
  delete_it(r);
  SEVERED(global);
  atomic_store(&stage, 2);
  CHECK(pthread_join(thread, NULL) == 0);
}

static NOINLINE void clear_stack(void) {
  volatile char dead[16384];
  for (size_t i = 0; i < sizeof dead; i++)
    dead[i] = 0;
}

int main(void) deletes {
  acre_set_delete_policy(POLICY);
  variables();
  memory();
  tree();
  frame_keeps_the_memory();
  frame_of_the_caller();
  what_the_library_keeps();
  cleared();
  given_back();
  together();
  policy_of_one_region();
  threads();
  clear_stack();
  acre_region_reclaim();
  acre_stats stats;
  acre_get_stats(&stats);
  COUNTED_ONLY(stats.regions_live <= 2); /* a stale word may keep one or two */
  CHECK(acre_verify());
  return 0;
}
