// A string that is part of the environment.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:16: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:18
// CHECK-NEXT: 1. the environment (putenv), stored at [[FILE]]:17 in main, points to text "LEVEL=3"
// CHECK-SAME: allocated at [[FILE]]:17
// CHECK-NEXT: hint: take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL),
// CHECK-SAME: fclose, timer_delete, unsetenv
#define _GNU_SOURCE
#include <stdlib.h>
#include <acre/acre.h>

int main(void) {
  region r = newregion();
  putenv(rstrdup(r, "LEVEL=3"));
  deleteregion(r);
  return 0;
}
