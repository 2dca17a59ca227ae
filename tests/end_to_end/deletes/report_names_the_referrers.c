// A refused delete says which global, which field of which object, and which local variable still
// point in. The order of the referrers differs by level.
// DEFINE: %{sorted} = sed 's/[1-4][.] /* /' | env LC_ALL=C sort
// RUN: %acre-cc -g -O0 %s -o %t.O0 && not --crash %t.O0 2>&1 | %{sorted} | %whole %s
// RUN: %acre-cc -O2 %s -o %t.O2 && not --crash %t.O2 2>&1 | %{sorted} | %whole %s
// RUN: %acre-cc -O2 -flto -fuse-ld=lld %s -o %t.lto && not --crash %t.lto 2>&1 | %{sorted} | \
// RUN:   %whole %s
#include "../Inputs/check.h"

struct holder {
  long key;
  struct {
    node *pad, *target;
  } inner;
};
node *some_global;
static node *hidden_static[4];

// CHECK: * field 'inner.target' of struct holder allocated at [[FILE]]:[[@LINE+18]] in the region
// CHECK-SAME: created at [[FILE]]:[[@LINE+12]] points to node [[AT:allocated at check.h:[0-9]+]]
// CHECK-NEXT: * global variable 'hidden_static[2]' ([[FILE]]{{(:[0-9]+)?}}) points to
// CHECK-SAME: node [[AT]]
// CHECK-NEXT: * global variable 'some_global' ([[FILE]]{{(:[0-9]+)?}}) points to node [[AT]]
// CHECK-NEXT: * local variable 'local_cursor' of function main, live across the call at
// CHECK-SAME: [[FILE]]:[[@LINE+14]], points to node [[AT]]
// CHECK-NEXT: deleteregion called at [[FILE]]:[[@LINE+13]]
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
// CHECK-NEXT: acre: fatal: cannot delete region 'sessions' (created at [[FILE]]:[[@LINE+3]]): 4
// CHECK-SAME: references from outside remain
int main(void) deletes {
  region r = newregion(), s = newregion();
  acre_region_set_name(r, "sessions");
  node *local_cursor = new_node(r);
  some_global = local_cursor;
  hidden_static[2] = local_cursor;
  struct holder *h = ralloc(s, struct holder);
  h->inner.target = local_cursor;
  deleteregion(r);
  return (int)local_cursor->value;
}
