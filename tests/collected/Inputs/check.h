/* What the tests of the collected heap share. */
#include <acre/collected.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

/* An object that says whether it was overwritten. */
typedef struct item {
  struct item *next;
  unsigned long number, complement;
} item;

__attribute__((noinline)) static item *new_item(unsigned long number) {
  item *i = malloc(sizeof *i);
  i->next = NULL;
  i->number = number;
  i->complement = ~number;
  return i;
}
static inline int is_whole(const item *i, unsigned long number) {
  return i->number == number && i->complement == ~number;
}

/* Garbage and a collection: what was reclaimed is used again. */
__attribute__((noinline)) static void churn(void) {
  acre_collected_collect();
  for (int i = 0; i < 20000; i++)
    free(new_item(12345));
  acre_collected_collect();
}

__attribute__((noinline)) static size_t live_objects(void) {
  acre_heap_stats stats;
  acre_collected_collect();
  acre_collected_get_stats(&stats);
  return stats.live_objects;
}
