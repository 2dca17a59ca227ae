/* SPDX-License-Identifier: MIT */
/* trees.c - GCBench's shape and complete binary trees, with one of several allocators; prints a
 * line of JSON.
 *
 *   trees gcbench|binary DEPTH [LIMIT]
 *
 * gcbench: an array and a tree stay; trees of all even depths from 4 are made from the top and from
 * the bottom, as many as hold as much as two of the largest each.  binary: one tree stays, from
 * depth 4 on others are made and walked.  LIMIT is that of Acre's heap, in bytes; with LINKS in the
 * environment its cells are linked, by headers of one word; with WHOLE it collects in one step.
 * "ticks" are the nanoseconds that each thousand allocations took.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct node {
  struct node *left, *right;
  int32_t i, j;
} node;

enum { TICK = 1000, ARRAY = 500000 };

static uint32_t *ticks;
static size_t tick_count, tick_capacity, made;
static uint64_t tick_begin;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void count_allocation(void) {
  if (++made % TICK)
    return;
  if (tick_count == tick_capacity) {
    tick_capacity = tick_capacity ? 2 * tick_capacity : 1 << 16;
    ticks = realloc(ticks, tick_capacity * sizeof *ticks);
  }
  uint64_t end = now();
  ticks[tick_count++] = (uint32_t)(end - tick_begin);
  tick_begin = end;
}

/* -- Allocators -------------------------------------------------------------------------------- */

#if defined(USE_ACRE)
#include <acre/heap.h>
static acre_heap *heap;
static const acre_slot node_slots[] = {
    {offsetof(node, left), 2, sizeof(void *), ACRE_SLOT_PLAIN, "left"}};
static const acre_type node_type = {"node", sizeof(node), _Alignof(node), 1, 1, 0, node_slots, 0,
                                    0};
static const acre_site node_site = {&node_type, __FILE__, "", __LINE__};
static void start(size_t limit) {
  acre_heap_config config = acre_heap_preset(getenv("LINKS") ? ACRE_HEAP_ALS_PH1 : ACRE_HEAP_ACRE);
  config.limit = limit;
  config.is_incremental = !getenv("WHOLE");
  heap = acre_heap_new(&config);
}
static node *new_node(void) {
  return acre_heap_alloc(heap, sizeof(node), _Alignof(node), &node_site);
}
static double *new_array(size_t count) {
  return acre_heap_alloc_bytes(heap, count * sizeof(double));
}
static size_t heap_size(void) {
  acre_heap_composition c;
  acre_heap_get_composition(heap, &c);
  return c.pages;
}
#define FRAME(...) ACRE_HEAP_FRAME(heap, frame, __VA_ARGS__)
#define UNFRAME() acre_heap_pop(heap, &frame)
#define STORE(slot, value) acre_heap_store(heap, &(slot), value)
#define DROP(tree) ((void)(tree))
#elif defined(USE_BDWGC)
#include <gc.h>
static void start(size_t limit) {
  (void)limit;
  GC_INIT();
}
static node *new_node(void) { return GC_MALLOC(sizeof(node)); }
static double *new_array(size_t count) { return GC_MALLOC_ATOMIC(count * sizeof(double)); }
static size_t heap_size(void) { return GC_get_heap_size(); }
#define FRAME(...) ((void)0)
#define UNFRAME() ((void)0)
#define STORE(slot, value) ((slot) = (value), GC_END_STUBBORN_CHANGE(&(slot)))
#define DROP(tree) ((void)(tree))
#else
static void start(size_t limit) { (void)limit; }
static node *new_node(void) { return calloc(1, sizeof(node)); }
static double *new_array(size_t count) { return calloc(count, sizeof(double)); }
static size_t heap_size(void) { return 0; }
static void drop(node *tree) {
  if (!tree)
    return;
  drop(tree->left);
  drop(tree->right);
  free(tree);
}
#define FRAME(...) ((void)0)
#define UNFRAME() ((void)0)
#define STORE(slot, value) ((slot) = (value))
#define DROP(tree) drop(tree)
#endif

/* -- Trees ------------------------------------------------------------------------------------- */

static node *make(void) {
  count_allocation();
  return new_node();
}

static node *bottom_up(unsigned depth) {
  node *left = NULL, *right = NULL;
  if (depth == 0)
    return make();
  FRAME(&left, &right);
  left = bottom_up(depth - 1);
  right = bottom_up(depth - 1);
  node *n = make();
  STORE(n->left, left);
  STORE(n->right, right);
  UNFRAME();
  return n;
}

/* The caller keeps tree. */
static void populate(unsigned depth, node *tree) {
  if (depth == 0)
    return;
  STORE(tree->left, make());
  STORE(tree->right, make());
  populate(depth - 1, tree->left);
  populate(depth - 1, tree->right);
}

static uint64_t count_nodes(const node *tree) {
  return tree ? 1 + count_nodes(tree->left) + count_nodes(tree->right) : 0;
}

static uint64_t gcbench(unsigned most) {
  node *lasting = NULL, *tree = NULL;
  double *array = NULL;
  uint64_t sum = 0;
  FRAME(&lasting, &tree, &array);
  lasting = make();
  populate(most, lasting);
  array = new_array(ARRAY);
  for (unsigned depth = 4; depth <= most; depth += 2)
    for (unsigned i = 0; i < 2u << (most - depth); i++) {
      tree = make();
      populate(depth, tree);
      DROP(tree);
      tree = bottom_up(depth);
      sum += (uint64_t)(tree->left != NULL);
      DROP(tree);
    }
  sum += count_nodes(lasting) + (uint64_t)array[ARRAY / 2];
  UNFRAME();
  return sum;
}

static uint64_t binary(unsigned most) {
  node *lasting = NULL, *tree = NULL;
  uint64_t sum = 0;
  FRAME(&lasting, &tree);
  lasting = bottom_up(most);
  for (unsigned depth = 4; depth <= most; depth += 4)
    for (unsigned i = 0; i < 16u << (most - depth); i++) {
      tree = bottom_up(depth);
      sum += count_nodes(tree);
      DROP(tree);
    }
  sum += count_nodes(lasting);
  UNFRAME();
  return sum;
}

int main(int count, char **values) {
  if (count < 3)
    return 2;
  start(count > 3 ? strtoull(values[3], NULL, 10) : 0);
  uint64_t begin = tick_begin = now();
  uint64_t sum = (strcmp(values[1], "gcbench") == 0 ? gcbench : binary)((unsigned)atoi(values[2]));
  uint64_t end = now();
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"sum\":%llu,\"ns\":%llu,\"cpu_us\":%llu,\"peak_kb\":%ld,\"heap\":%zu,\"ticks\":[",
         (unsigned long long)sum, (unsigned long long)(end - begin),
         (unsigned long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
             (unsigned long long)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
         usage.ru_maxrss, heap_size());
  for (size_t i = 0; i < tick_count; i++)
    printf("%s%u", i ? "," : "", ticks[i]);
  puts("]}");
  return 0;
}
