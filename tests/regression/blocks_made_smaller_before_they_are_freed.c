// The optimizer frees a block instead of making it smaller first, if nothing else is done with it.
// What the part that should have gone pointed to could not be deleted in between.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

static region r;

NOINLINE static node *make(void) { return ralloc(r, node); }

NOINLINE static void shrink(void) deletes {
  node **all = malloc(100 * sizeof *all);
  CHECK(all);
  all[90] = make();
  all = realloc(all, 10 * sizeof *all);
  CHECK(deleteregion(r));
  free(all);
}

int main(void) {
  r = newregion();
  shrink();
  return 0;
}
