// A local that nobody uses by its name refuses a delete because its address is kept.  The report
// does not say that it is used.
// RUN: %acre-cc -g -O0 %s -o %t.O0 && not --crash %t.O0 2>&1 | %whole %s
// RUN: %acre-cc -O2 %s -o %t.O2 && not --crash %t.O2 2>&1 | %whole %s
// RUN: %acre-cc -O2 -flto -fuse-ld=lld %s -o %t.lto && not --crash %t.lto 2>&1 | %whole %s
#include "../Inputs/check.h"

static node **kept;

static void keep(node **place) { kept = place; }
static void (*volatile keep_unseen)(node **) = keep;

int main(void) deletes {
  region r = newregion();
  node *held = new_node(r);
  keep_unseen(&held);
  // CHECK: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE-3]]: 1 reference from
  // CHECK-SAME: outside remains
  // CHECK-NEXT: deleteregion called at [[FILE]]:[[@LINE+7]]
  // CHECK-NEXT: 1. local variable 'held' of function main, whose address may be held across the
  // CHECK-SAME: call at [[FILE]]:[[@LINE+5]] (global variable 'kept'
  // CHECK-SAME: ([[FILE]]{{[:0-9]*}}) has it), points to node allocated at
  // CHECK-SAME: check.h:{{[0-9]+}}
  // CHECK-NEXT: hint: a local still points in, and who was given its address may read it: set it
  // CHECK-SAME: to null before
  deleteregion(r);
  return (int)(*kept)->value;
}
