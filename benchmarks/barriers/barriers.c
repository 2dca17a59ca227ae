/* SPDX-License-Identifier: MIT */
/* barriers.c - one function for each kind of store; run.py counts what their barriers execute.
 *
 * usage: barriers CASE COUNT
 */
#include <acre/abi.h>
#include <acre/acre.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

struct node {
  struct node *plain;
  struct node *sameregion same;
  struct node *parentptr up;
  const char *traditional text;
  long numbers[3];
};

/* As an interpreter's values: a pointer and what kind it is. */
struct value {
  struct node *parentptr reference;
  int kind, number;
};

/* The runtime has to ask the type which of its words may be pointers. */
struct overlay {
  struct node *parentptr up;
  union {
    struct node *node;
    long number;
  } u;
};

NOINLINE void store_plain(struct node *n, struct node *value) { n->plain = value; }
NOINLINE void store_result(struct node **result, struct node *value) { *result = value; }
NOINLINE void store_sameregion(struct node *n, struct node *value) { n->same = value; }
NOINLINE void store_parentptr(struct node *n, struct node *value) { n->up = value; }
NOINLINE void store_traditional(struct node *n, const char *value) { n->text = value; }
NOINLINE void copy_value(struct value *to, const struct value *from) { *to = *from; }

NOINLINE void copy_overlay(struct overlay *to, const struct overlay *from) { *to = *from; }

static struct node *node_on_another_page(region r, const struct node *than) {
  struct node *n;
  do
    n = ralloc(r, struct node);
  while (((uintptr_t)n ^ (uintptr_t)than) >> ACRE_WINDOW_PAGE_SHIFT == 0);
  return n;
}

struct objects {
  struct node *a, *near, *far, *above, *other, *third;
  struct value *values;
  struct overlay *overlays, *far_overlays;
};

static struct objects make(void) {
  region top = newregion(), middle = newsubregion(top), r = newsubregion(middle);
  struct objects o = {.a = ralloc(r, struct node), .near = ralloc(r, struct node)};
  o.far = node_on_another_page(r, o.a);
  o.above = ralloc(top, struct node);
  o.other = ralloc(newregion(), struct node);
  o.third = ralloc(newregion(), struct node);
  o.values = rarrayalloc(r, 2000, struct value);
  o.overlays = rarrayalloc(r, 2, struct overlay);
  o.overlays[0].up = ralloc(r, struct node);
  o.far_overlays = rarrayalloc(r, 2, struct overlay);
  o.far_overlays[0].up = o.above;
  return o;
}

/* The same store again and again stays that, also for a compiler that sees no barrier. */
#define REPEAT(STORE)                  \
  for (long i = 0; i < count; i++) {   \
    STORE;                             \
    __asm__ volatile("" ::: "memory"); \
  }

static void run(const char *name, const struct objects *o, long count) {
  static struct node outside;
  struct node *local;
  if (strcmp(name, "outside") == 0)
    REPEAT(store_plain(o->a, &outside))
  else if (strcmp(name, "null") == 0)
    REPEAT(store_plain(o->a, NULL))
  else if (strcmp(name, "own") == 0)
    REPEAT(store_plain(o->a, o->near))
  else if (strcmp(name, "own-far") == 0)
    REPEAT(store_plain(o->a, o->far))
  else if (strcmp(name, "making") == 0)
    REPEAT(store_plain(o->a, i % 2 ? o->other : NULL))
  else if (strcmp(name, "again") == 0)
    REPEAT(store_plain(o->a, o->other))
  else if (strcmp(name, "changing") == 0)
    REPEAT(store_plain(o->a, i % 2 ? o->other : o->third))
  else if (strcmp(name, "result") == 0)
    REPEAT(store_result(&local, o->other))
  else if (strcmp(name, "sameregion-page") == 0)
    REPEAT(store_sameregion(o->a, o->near))
  else if (strcmp(name, "sameregion-null") == 0)
    REPEAT(store_sameregion(o->a, NULL))
  else if (strcmp(name, "sameregion-far") == 0)
    REPEAT(store_sameregion(o->a, o->far))
  else if (strcmp(name, "parentptr-page") == 0)
    REPEAT(store_parentptr(o->a, o->near))
  else if (strcmp(name, "parentptr-far") == 0)
    REPEAT(store_parentptr(o->a, o->far))
  else if (strcmp(name, "parentptr-above") == 0)
    REPEAT(store_parentptr(o->a, o->above))
  else if (strcmp(name, "traditional") == 0)
    REPEAT(store_traditional(o->a, "text"))
  else if (strcmp(name, "value-number") == 0)
    REPEAT(copy_value(&o->values[1], &o->values[0]))
  else if (strcmp(name, "value-far") == 0)
    REPEAT(copy_value(&o->values[1500], &o->values[0]))
  else if (strcmp(name, "overlay") == 0)
    REPEAT(copy_overlay(&o->overlays[1], &o->overlays[0]))
  else if (strcmp(name, "overlay-far") == 0)
    REPEAT(copy_overlay(&o->far_overlays[1], &o->far_overlays[0]))
  else
    exit(2);
}

int main(int argc, char **argv) {
  static struct node first, second;
  if (argc != 3)
    return 2;
  long count = atol(argv[2]);
  if (strcmp(argv[1], "inactive") == 0) {
    REPEAT(store_plain(&first, &second))
    return 0;
  }
  struct objects o = make();
  if (strcmp(argv[1], "value-far") == 0)
    o.values[0].reference = o.above;
  run(argv[1], &o, count);
  return 0;
}
