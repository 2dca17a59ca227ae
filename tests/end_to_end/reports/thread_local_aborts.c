// A pointer left in a member of a thread-local structure.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:24: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:26
// CHECK-NEXT: 1. thread-local variable 'cache.queue.last' ([[FILE]]:21), stored at [[FILE]]:25 in
// CHECK-SAME: main, points to struct entry allocated at [[FILE]]:25
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static _Thread_local struct {
  long hits;
  struct {
    struct entry *first, *last;
  } queue;
} cache;

int main(void) {
  region r = newregion();
  cache.queue.last = ralloc(r, struct entry);
  deleteregion(r);
  return 0;
}
