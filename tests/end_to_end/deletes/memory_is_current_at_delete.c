// What records say is read back when a delete heals: the optimizer may not have removed or delayed
// the stores.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static NOINLINE long in_malloc(region r) deletes {
  node **slot = malloc(sizeof *slot);
  *slot = new_node(r);
  DELETE_REFUSED(r);
  long value = (*slot)->value;
  free(slot);
  return value;
}
static inline __attribute__((always_inline)) void put(node **slot, region r) {
  *slot = new_node(r);
}
static NOINLINE long in_exposed_local(region r) deletes {
  node *local;
  put(&local, r);
  DELETE_REFUSED(r);
  return local->value;
}
static node *never_escapes;
static NOINLINE long in_static(region r) deletes {
  never_escapes = new_node(r);
  DELETE_REFUSED(r);
  long value = never_escapes->value;
  never_escapes = 0;
  return value;
}
static NOINLINE long in_region(region r, region holder) deletes {
  node *n = new_node(holder);
  n->next = new_node(r);
  DELETE_REFUSED(r);
  long value = n->next->value;
  n->next = 0;
  return value;
}

int main(void) deletes {
  region r = newregion(), holder = newregion();
  CHECK(in_malloc(r) == 42);
  CHECK(in_exposed_local(r) == 42);
  CHECK(in_static(r) == 42);
  CHECK(in_region(r, holder) == 42);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
