// A parameter that is used after the delete.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:23: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:18
// CHECK-NEXT: 1. local variable 'last' of function finish, live across the call at [[FILE]]:18,
// CHECK-SAME: points to struct entry allocated at [[FILE]]:24
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
__attribute__((noinline)) static long finish(region r, struct entry *last) deletes {
  deleteregion(r);
  return last->key;
}

int main(void) deletes {
  region r = newregion();
  return (int)finish(r, ralloc(r, struct entry));
}
