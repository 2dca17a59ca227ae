// A pointer left in an array that is static in a function.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:22: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:26
// CHECK-NEXT: 1. global variable 'remember.recent[5]' ([[FILE]]:17), stored at [[FILE]]:18 in
// CHECK-SAME: remember, points to struct entry allocated at [[FILE]]:23
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static void remember(struct entry *e) {
  static struct entry *recent[8];
  recent[e->key % 8] = e;
}

int main(void) {
  region r = newregion();
  struct entry *e = ralloc(r, struct entry);
  e->key = 13;
  remember(e);
  deleteregion(r);
  return 0;
}
