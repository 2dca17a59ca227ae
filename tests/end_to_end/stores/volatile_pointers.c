// Volatile slots in every kind of memory count what was last stored.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static node *volatile global;
struct holder {
  node *volatile slot;
  volatile int pad;
};

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *n = new_node(r);
  node *volatile local = n;
  struct holder *volatile heap = malloc(sizeof *heap);
  struct holder *in_region = ralloc(s, struct holder);
  heap->slot = in_region->slot = global = n;
  opaque((void *)&local);
  CHECK_HELD(r, 4);
  *heap = (struct holder){0};
  global = 0;
  in_region->slot = (node *)&global;
  local = 0;
  CHECK_COUNT(r, 0);
  free(heap);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
