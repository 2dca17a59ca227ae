/* SPDX-License-Identifier: MIT */
/* cache.c - a cache that drops what was used least recently: a table of chains, a list through all
 * entries, values of 20 to 2000 bytes.
 */
#include "shape.h"

enum { CHAINS = 1 << 14, ENTRIES = 20000, KEYS = 60000 };

typedef struct entry {
  struct entry *next_of_chain, *newer, *older;
  uint32_t key, size;
  unsigned char *value;
} entry;

static entry *chains[CHAINS], ends = {.newer = &ends, .older = &ends};
static size_t entries;

static void leave_list(entry *e) {
  e->newer->older = e->older;
  e->older->newer = e->newer;
}

static void join_list(entry *e) {
  e->older = ends.older;
  e->newer = &ends;
  ends.older->newer = e;
  ends.older = e;
}

static void drop_oldest(void) {
  entry *e = ends.newer, **at = &chains[e->key % CHAINS];
  while (*at != e)
    at = &(*at)->next_of_chain;
  *at = e->next_of_chain;
  leave_list(e);
  free(e->value);
  free(e);
  entries--;
}

static entry *find(uint32_t key) {
  entry *e = chains[key % CHAINS];
  while (e && e->key != key)
    e = e->next_of_chain;
  return e;
}

static entry *add(uint32_t key, size_t size) {
  entry *e = malloc(sizeof *e);
  *e = (entry){chains[key % CHAINS], NULL, NULL, key, (uint32_t)size, make_block(size)};
  chains[key % CHAINS] = e;
  if (entries++ == ENTRIES)
    drop_oldest();
  return e;
}

int main(int argc, char **argv) {
  size_t rounds = number_of(argc, argv, 2, 3000000), sum = 0;
  uint64_t random = 1;
  for (size_t i = 0; i < rounds; i++) {
    uint32_t key = next_random(&random) % KEYS * (next_random(&random) % 4 != 0) / 2;
    entry *e = find(key);
    if (e) {
      leave_list(e);
      sum += e->value[0];
    } else {
      e = add(key, size_between(&random, 20, 2000));
    }
    join_list(e);
  }
  return report(sum);
}
