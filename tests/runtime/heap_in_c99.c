/* The heap header in C99, as plain C uses it: a descriptor by hand, a frame, the barrier.  Returns
   the line that fails, or 0. */
#include <acre/heap.h>

#if __STDC_VERSION__ != 199901L
#error "this file is to be compiled as C99"
#endif

int heap_in_c99(void);

typedef struct node {
  struct node *next;
  long value;
} node;

static const acre_slot node_slots[] = {{0, 1, 0, ACRE_SLOT_PLAIN, "next"}};
static const acre_type node_type = {"node", sizeof(node), sizeof(void *), 1, 1, 0, node_slots, 0,
                                    0};
static const acre_site node_site = {&node_type, __FILE__, "push", __LINE__};

#define EXPECT(condition) \
  do {                    \
    if (!(condition))     \
      return __LINE__;    \
  } while (0)

static node *push(acre_heap *heap, node *list, long value) {
  node *added = (node *)acre_heap_alloc(heap, sizeof *added, sizeof(void *), &node_site);
  acre_heap_store(heap, &added->next, list);
  added->value = value;
  return added;
}

int heap_in_c99(void) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  acre_heap_stats stats;
  acre_heap *heap;
  node *list = NULL, *each;
  long i, sum = 0;
  config.name = "c99";
  config.limit = (size_t)1 << 20;
  heap = acre_heap_new(&config);
  EXPECT(heap);
  {
    ACRE_HEAP_FRAME(heap, frame, &list, &each);
    for (i = 0; i < 100000; i++) {
      list = push(heap, i % 1000 ? list : NULL, i);
      each = ACRE_HEAP_NEW(heap, node);
    }
    for (each = list; each; each = each->next)
      sum += each->value;
    EXPECT(sum == 99499500);
    acre_heap_pop(heap, &frame);
  }
  acre_heap_collect(heap);
  acre_heap_get_stats(heap, &stats);
  EXPECT(stats.live_objects == 0 && stats.collections > 1);
  EXPECT(acre_heap_check(heap));
  acre_heap_delete(heap);
  return 0;
}
