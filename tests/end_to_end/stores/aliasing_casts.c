// A pointer stored through a cast of its slot's address (int **, void **, uintptr_t *) keeps the
// count.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static node *global;
static node *second;
static void set_any(void **slot, void *value) { *slot = value; }

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  set_any((void **)&global, n);
  CHECK_COUNT(r, 1);
  *(int **)&second = (int *)n;
  CHECK_COUNT(r, 2);
  *(char **)&second = 0;
  CHECK_COUNT(r, 1);
  node **heap = malloc(2 * sizeof *heap);
  set_any((void **)heap, n);
  *(void **)(heap + 1) = &n->value;
  CHECK_COUNT(r, 3);
  DELETE_REFUSED(r);
  CHECK(heap[0]->value == 42);
  free(heap);
  set_any((void **)&global, 0);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
