// An argument of a function that is called at exit.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:25: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:27
// CHECK-NEXT: 1. the list of exit handlers (on_exit), stored at [[FILE]]:26 in main, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:26
// CHECK-NEXT: hint: take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL),
// CHECK-SAME: fclose, timer_delete, unsetenv
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static void last(int status, void *argument) {
  (void)status;
  (void)argument;
}

int main(void) {
  region r = newregion();
  on_exit(last, ralloc(r, struct entry));
  deleteregion(r);
  return 0;
}
