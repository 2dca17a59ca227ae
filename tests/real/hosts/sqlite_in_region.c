/* sqlite_in_region.c - runs SQL from standard input, a statement a line, with all of SQLite's
 * memory in one region.
 *
 * SQLite itself is unmodified; its allocator is replaced through sqlite3_config.  Globals of SQLite
 * (page cache, virtual file systems, collations, its heap's own state) point into the region while
 * it runs, and none may when it has shut down: then the region must go.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acre/acre.h>

#include "sqlite3.h"

static region heap;
static void *free_blocks[64]; /* of 16, 32, ... bytes, linked through their first word */

struct block {
  unsigned size_class;
  int size;
  _Alignas(16) char bytes[];
};

static struct block *block_of(void *p) {
  return (struct block *)((char *)p - offsetof(struct block, bytes));
}

static int block_size(void *p) { return p ? block_of(p)->size : 0; }

static int round_up(int size) {
  int rounded = 16;
  while (rounded < size)
    rounded *= 2;
  return rounded;
}

static void *allocate(int size) {
  unsigned size_class = (unsigned)__builtin_ctz((unsigned)round_up(size));
  void *p = free_blocks[size_class];
  if (p) {
    free_blocks[size_class] = *(void **)p;
    return p;
  }
  struct block *block = acre_region_alloc(heap, sizeof(struct block) + ((size_t)1 << size_class),
                                          _Alignof(struct block), NULL);
  block->size_class = size_class;
  block->size = 1 << size_class;
  return block->bytes;
}

static void release(void *p) {
  *(void **)p = free_blocks[block_of(p)->size_class];
  free_blocks[block_of(p)->size_class] = p;
}

static void *reallocate(void *p, int size) {
  if (size <= block_size(p))
    return p;
  void *larger = allocate(size);
  memcpy(larger, p, (size_t)block_size(p));
  release(p);
  return larger;
}

static int start(void *context) {
  (void)context;
  return SQLITE_OK;
}

static void stop(void *context) { (void)context; }

static int print_row(void *context, int count, char **values, char **names) {
  (void)context, (void)names;
  for (int i = 0; i < count; i++)
    printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
  putchar('\n');
  return 0;
}

static void run_statements(sqlite3 *database, FILE *input) {
  char *line = NULL, *error = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, input) > 0) {
    if (sqlite3_exec(database, line, print_row, NULL, &error) != SQLITE_OK) {
      fprintf(stderr, "%s\n", error);
      sqlite3_free(error);
      error = NULL;
    }
  }
  free(line);
}

int main(void) deletes {
  static const sqlite3_mem_methods methods = {allocate, release, reallocate, block_size,
                                              round_up, start,   stop,       NULL};
  sqlite3 *database;
  heap = newregion();
  acre_region_set_name(heap, "sqlite");
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK ||
      sqlite3_open(":memory:", &database) != SQLITE_OK)
    return 1;
  run_statements(database, stdin);
  if (sqlite3_close(database) != SQLITE_OK || sqlite3_shutdown() != SQLITE_OK)
    return 1;
  database = NULL;
  memset(free_blocks, 0, sizeof free_blocks);
  deleteregion(heap);

  acre_stats stats;
  acre_get_stats(&stats);
  fprintf(stderr, "%zu regions made, %zu left\n", stats.regions_created, stats.regions_live);
  return stats.regions_live != 0;
}
