// RUN: %each_level --expect-abort "cannot delete" -o %t %s
// A global still points into a block's region when the block ends: a store that no compiler can judge.
#include "../Inputs/check.h"
#include <acre/scope.h>

static node *kept;

static NOINLINE void keep(node *n) { kept = n; }

static long use(void) {
  acre_scoped_region(r);
  keep(new_node(r));
  return kept->value;
}

int main(void) { return (int)use(); }
