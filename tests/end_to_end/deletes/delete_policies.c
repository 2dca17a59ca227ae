// ACRE_DELETE chooses what deleting a referenced region does.
// RUN: %acre-cc -O2 %s -o %t
// RUN: not --crash %t 2>&1 | %whole %s --check-prefix=ABORT
// RUN: env ACRE_DELETE=abort not --crash %t 2>&1 | %whole %s --check-prefix=ABORT
// RUN: env ACRE_DELETE=refuse %t | FileCheck %s --check-prefix=REFUSE
// RUN: env ACRE_DELETE=defer %t | FileCheck %s --check-prefix=DEFER
#include "../Inputs/check.h"

static node *global;

// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+11]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+11]]
// ABORT-NEXT: 1. global variable 'global' ([[FILE]]) points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
// REFUSE: returned 0, live 1
// REFUSE: reclaimed 0, live 1
// DEFER: returned 1, live {{[01]}}
// DEFER: reclaimed 1, live 0
int main(void) deletes {
  region r = newregion();
  global = new_node(r);
  bool returned = deleteregion(r);
  printf("returned %d, live %d\n", returned, acre_region_is_live(r));
  CHECK(global->value == 42);
  global = 0;
  size_t reclaimed = acre_region_reclaim();
  printf("reclaimed %zu, live %d\n", reclaimed, acre_region_is_live(r));
}
