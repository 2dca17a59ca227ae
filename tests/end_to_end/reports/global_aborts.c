// A pointer left in a global variable.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:19: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:21
// CHECK-NEXT: 1. global variable 'latest' ([[FILE]]:16), stored at [[FILE]]:20 in main, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:20
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static struct entry *latest;

int main(void) {
  region r = newregion();
  latest = ralloc(r, struct entry);
  deleteregion(r);
  return 0;
}
