// -facre-verify makes the program verify without the environment, which still decides when it is
// set.
// RUN: for how in -facre-runtime=static -facre-runtime=shared -static; do \
// RUN:   %acre-cc -facre-verify $how %s -o %t || exit 1; \
// RUN:   env -u ACRE_VERIFY not --crash %t 2>&1 | %whole %s && ACRE_VERIFY=0 %t || exit 1; done
// RUN: %acre-cc %s -o %t && env -u ACRE_VERIFY %t
#include <acre/abi.h>
#include <acre/acre.h>
#include <string.h>

static int *slot;
static void *volatile hidden = &slot;

/* A store that nothing counts: the verifier finds it. */
int main(void) {
  region r = newregion();
  int *p = ralloc(r, int);
  __asm__ volatile("mov %1, (%0)" : : "r"(hidden), "r"(p) : "memory");
  return 0;
}
// CHECK: acre: verify: global variable 'slot' ([[FILE]]) is not counted, but points to int
// CHECK-SAME: allocated at [[FILE]]:[[@LINE-5]] in the region created at [[FILE]]:[[@LINE-6]]
// CHECK-NEXT: acre: fatal: the verifier found differences (at exit)
