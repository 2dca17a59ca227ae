/* SPDX-License-Identifier: MIT */
/* growth.c - how the pauses of the incremental collector grow with what is alive and with the
 * roots.
 *
 * usage: growth trees|table MB [ROOTS [ROUNDS]]
 *
 * Keeps MB megabytes alive beside ROOTS frames and as many handles, and prints a line of JSON.
 *
 * trees: complete binary trees of 4095 nodes, one replaced at a time.  table: a hash table in one
 * big array, with chains of records that each have a text; records are replaced.  The heap's limit
 * is twice what is alive.  Pauses are the least of as many rounds (3): see pauses.h.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pauses.h"
#include "workloads.h"

typedef struct node {
  struct node *left, *right;
  uint64_t key, value;
} node;
TYPE(node, left, 2);

typedef struct entry {
  struct entry *next;
  char *text;
  uint64_t key;
} entry;
TYPE(entry, next, 2);
ARRAY_OF_POINTERS(pointers);

enum { TREE_DEPTH = 11, TREE_BYTES = 4095 * 48, ENTRY_BYTES = 48 + 80, COLLECTIONS = 4 };

void *get(acre_heap *heap, size_t size, const acre_site *site) {
  return acre_heap_alloc(heap, size, 8, site);
}
void *get_bytes(acre_heap *heap, size_t size) { return acre_heap_alloc_bytes(heap, size); }

static void note(const acre_heap_event *event, void *context) {
  (void)context;
  pauses_note(event);
}

/* -- Workloads --------------------------------------------------------------------------------- */

static uint64_t state = UINT64_C(88172645463325252);
static uint64_t any(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

static node *tree(acre_heap *heap, unsigned depth) {
  node *left = NULL, *right = NULL;
  ACRE_HEAP_FRAME(heap, frame, &left, &right);
  if (depth > 0) {
    left = tree(heap, depth - 1);
    right = tree(heap, depth - 1);
  }
  node *n = get(heap, sizeof *n, &node_site);
  acre_heap_store(heap, &n->left, left);
  acre_heap_store(heap, &n->right, right);
  acre_heap_pop(heap, &frame);
  return n;
}

static uint64_t collections(acre_heap *heap) {
  acre_heap_stats stats;
  acre_heap_get_stats(heap, &stats);
  return stats.collections;
}

static void trees(acre_heap *heap, size_t bytes) {
  size_t count = bytes / TREE_BYTES;
  void **all = NULL;
  ACRE_HEAP_FRAME(heap, frame, &all);
  all = get(heap, count * sizeof *all, &pointers_site);
  for (size_t i = 0; i < count; i++)
    acre_heap_store(heap, &all[i], (void *)tree(heap, TREE_DEPTH));
  for (uint64_t until = collections(heap) + COLLECTIONS; collections(heap) < until;)
    acre_heap_store(heap, &all[any(count)], (void *)tree(heap, TREE_DEPTH));
  acre_heap_pop(heap, &frame);
}

static void table(acre_heap *heap, size_t bytes) {
  size_t count = bytes / (ENTRY_BYTES + sizeof(void *));
  entry **buckets = NULL, *new = NULL;
  ACRE_HEAP_FRAME(heap, frame, &buckets, &new);
  buckets = get(heap, count * sizeof *buckets, &pointers_site);
  uint64_t until = 0;
  for (size_t i = 0; !until || collections(heap) < until; i++) {
    size_t bucket = any(count);
    new = get(heap, sizeof *new, &entry_site);
    acre_heap_store(heap, &new->text, get_bytes(heap, 20 + any(80)));
    new->key = i;
    /* Filled, each new entry takes the place of a chain. */
    acre_heap_store(heap, &new->next, i < count ? buckets[bucket] : NULL);
    acre_heap_store(heap, &buckets[bucket], new);
    if (i == count)
      until = collections(heap) + COLLECTIONS;
  }
  acre_heap_pop(heap, &frame);
}

/* -- Main -------------------------------------------------------------------------------------- */

/* Pushes as many frames, and makes as many handles, each with an object. */
static void add_roots(acre_heap *heap, size_t roots) {
  struct root {
    void *object, *address;
    acre_heap_frame frame;
  } *all = calloc(roots, sizeof *all);
  for (size_t i = 0; i < roots; i++) {
    all[i].object = get_bytes(heap, 16);
    all[i].address = &all[i].object;
    all[i].frame = (acre_heap_frame){.variables = &all[i].address, .count = 1};
    acre_heap_push(heap, &all[i].frame);
    if (!acre_heap_handle_new(heap, all[i].object))
      abort();
  }
}

static acre_heap_stats run(const char *name, size_t bytes, size_t roots) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = 2 * bytes + 200 * roots;
  config.trace = note;
  acre_heap *heap = acre_heap_new(&config);
  if (!heap) {
    fprintf(stderr, "growth: no memory for a heap\n");
    exit(1);
  }
  pauses_start();
  state = UINT64_C(88172645463325252);
  add_roots(heap, roots);
  (strcmp(name, "trees") == 0 ? trees : table)(heap, bytes);
  acre_heap_stats stats;
  acre_heap_get_stats(heap, &stats);
  acre_heap_delete(heap);
  return stats;
}

int main(int count, char **values) {
  if (count < 3 || (strcmp(values[1], "trees") != 0 && strcmp(values[1], "table") != 0)) {
    fprintf(stderr, "usage: growth trees|table MB [ROOTS [ROUNDS]]\n");
    return 2;
  }
  size_t bytes = strtoull(values[2], NULL, 10) * 1000000,
         roots = count > 3 ? strtoull(values[3], NULL, 10) : 0;
  acre_heap_stats stats = run(values[1], bytes, roots);
  for (int i = 1; i < (count > 4 ? atoi(values[4]) : 3); i++)
    run(values[1], bytes, roots);
  pause_summary s = pauses_end();
  printf("{\"collections\":%llu,\"pauses\":%zu,\"longest_ns\":%llu,\"p999_ns\":%llu,\"p99_ns\":%"
         "llu,\"words_max\":%llu,"
         "\"forced\":%llu,\"mmu\":[%.4f,%.4f,%.4f]}\n",
         (unsigned long long)stats.collections, s.count, (unsigned long long)s.longest,
         (unsigned long long)s.p999, (unsigned long long)s.p99, (unsigned long long)stats.words_max,
         (unsigned long long)stats.forced, s.utilisation[0], s.utilisation[1], s.utilisation[2]);
  return 0;
}
