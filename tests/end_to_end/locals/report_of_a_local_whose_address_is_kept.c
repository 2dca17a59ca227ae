// RUN: %acre-cc -g -O0 %s -o %t.O0 && not --crash %t.O0 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 %s -o %t.O2 && not --crash %t.O2 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 -flto -fuse-ld=lld %s -o %t.lto && not --crash %t.lto 2>&1 | FileCheck %s
// A local that nobody uses by its name refuses a delete because its address is kept.  The report does
// not say that it is used.
#include "../Inputs/check.h"

static node **kept;

static void keep(node **place) { kept = place; }
static void (*volatile keep_unseen)(node **) = keep;

int main(void) deletes {
  region r = newregion();
  node *held = new_node(r);
  keep_unseen(&held);
  // CHECK: acre: fatal: cannot delete the region created at
  // CHECK-NEXT: deleteregion called at
  // CHECK-NEXT: 1. local variable 'held' of function main, whose address may be held across
  // CHECK-NEXT: hint: a local still points in, and who was given its address may read it
  deleteregion(r);
  return (int)(*kept)->value;
}
