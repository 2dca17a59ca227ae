/* What tests of the collected heap need to know of its inside. */
#include "heap_internals.h"

#include "collector/internal.h"

void heap_find_stores(acre_heap *h) { ((struct heap *)h)->finds_stores = true; }
bool heap_is_tracked(const acre_heap *h) { return ((const struct heap *)h)->is_tracked; }
void heap_know_thread(void) { acre_thread_find_stack(); }

heap_step heap_step_of(const acre_heap *h) {
  switch (((const struct heap *)h)->phase) {
  case PHASE_IDLE:
    return HEAP_STEP_IDLE;
  case PHASE_PROTECT:
    return HEAP_STEP_PROTECT;
  case PHASE_ROOTS:
    return HEAP_STEP_ROOTS;
  case PHASE_CHASE:
    return HEAP_STEP_CHASE;
  case PHASE_SETTLE:
    return HEAP_STEP_SETTLE;
  default:
    return HEAP_STEP_ENDING;
  }
}
