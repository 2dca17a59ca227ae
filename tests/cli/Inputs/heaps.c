/* Two heaps; one is incremental and collects.  With an argument the process dies at once at the
 * end. */
#include <signal.h>
#include <stdio.h>

#include <acre/heap.h>

typedef struct node {
  struct node *next;
  long value;
} node;

static void churn(acre_heap *heap, unsigned count) {
  node *kept = NULL, *made = NULL;
  ACRE_HEAP_FRAME(heap, frame, &kept, &made);
  for (unsigned i = 0; i < count; i++) {
    made = acre_heap_alloc(heap, sizeof *made, sizeof(void *), NULL);
    if (i % 16 == 0) {
      acre_heap_store(heap, &made->next, i % 4096 ? kept : NULL);
      kept = made;
    }
  }
  acre_heap_pop(heap, &frame);
}

int main(int count, char **values) {
  acre_heap_config small = acre_heap_preset(ACRE_HEAP_TM_RM),
                   large = acre_heap_preset(ACRE_HEAP_ACRE);
  (void)values;
  small.name = "small";
  large.name = "the \"large\" one";
  small.limit = large.limit = 1 << 20;
  acre_heap *first = acre_heap_new(&small), *second = acre_heap_new(&large);
  churn(first, 10000);
  churn(second, 200000);
  if (count > 1)
    raise(SIGKILL);
  acre_heap_delete(first);
  acre_heap_delete(second);
  puts("done");
  return 0;
}
