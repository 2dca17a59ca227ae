// A buffer that a stream of the C library goes on using.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:15: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:17
// CHECK-NEXT: 1. a stream (setvbuf), stored at [[FILE]]:16 in main, points to array of 8192 char
// CHECK-SAME: allocated at [[FILE]]:16
// CHECK-NEXT: hint: take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL),
// CHECK-SAME: fclose, timer_delete, unsetenv
#include <stdio.h>
#include <acre/acre.h>

int main(void) {
  region r = newregion();
  setvbuf(stdout, rstralloc(r, BUFSIZ), _IOFBF, BUFSIZ);
  deleteregion(r);
  return 0;
}
