// A pointer left in a member of a member of an element of a global array.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:24: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:26
// CHECK-NEXT: 1. global variable 'tables[3].head.links[1]' ([[FILE]]:21), stored at [[FILE]]:25 in
// CHECK-SAME: main, points to struct entry allocated at [[FILE]]:25
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static struct {
  const char *name;
  struct {
    struct entry *links[3];
  } head;
} tables[4];

int main(void) {
  region r = newregion();
  tables[3].head.links[1] = ralloc(r, struct entry);
  deleteregion(r);
  return 0;
}
