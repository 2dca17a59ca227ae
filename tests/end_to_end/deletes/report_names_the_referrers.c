// RUN: %acre-cc -g -O0 %s -o %t.O0 && not --crash %t.O0 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 %s -o %t.O2 && not --crash %t.O2 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 -flto -fuse-ld=lld %s -o %t.lto && not --crash %t.lto 2>&1 | FileCheck %s
// A refused delete says which global, which field of which object, and which local variable still point in.
#include "../Inputs/check.h"

struct holder {
  long key;
  struct {
    node *pad, *target;
  } inner;
};
node *some_global;
static node *hidden_static[4];

// CHECK: acre: fatal: {{.*}}sessions
// CHECK-DAG: some_global
// CHECK-DAG: hidden_static
// CHECK-DAG: inner.target{{.*}}struct holder
// CHECK-DAG: local_cursor
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
