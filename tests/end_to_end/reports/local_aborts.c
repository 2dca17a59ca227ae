// A local variable that is used after the delete.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:18: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:20
// CHECK-NEXT: 1. local variable 'e' of function main, live across the call at [[FILE]]:20, points
// CHECK-SAME: to struct entry allocated at [[FILE]]:19
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
int main(void) deletes {
  region r = newregion();
  struct entry *e = ralloc(r, struct entry);
  deleteregion(r);
  return (int)e->key;
}
