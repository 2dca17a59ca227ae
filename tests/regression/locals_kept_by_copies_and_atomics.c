// -facre-locals did not see what an atomic store keeps, nor, with -facre-bounds, what a copy into
// memory of malloc keeps: the record of the store was dropped by the barrier of the whole copy.
// RUN: %acre-cc -O0 -facre-safe %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O2 -facre-safe %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O2 -facre-safe -DBY_ATOMIC %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O1 -facre-safe -DOUTLIVES %s -o %t && %t
// CHECK: acre: fatal: [[FILE]]:[[@LINE+26]]: in keep: the local variable 'x' ends while a pointer
// CHECK-SAME: to it is kept
// CHECK-NEXT: slot 0x{{[0-9a-f]+}}: {{.*(from malloc|'kept_by_atomic' \(.*\))}}
// CHECK-NEXT: value 0x{{[0-9a-f]+}} was stored at [[FILE]]:{{[0-9]+}} in keep
#include <stdlib.h>
#include <string.h>

struct holder {
  int *p;
  int n;
};
static struct holder *kept;
static int *kept_by_atomic;

static __attribute__((noinline)) void keep(void) {
  int x = 1;
  struct holder h = {&x, 1};
#ifdef BY_ATOMIC
  __atomic_store_n(&kept_by_atomic, h.p, __ATOMIC_RELEASE);
#else
  kept = malloc(sizeof *kept);
  memcpy(kept, &h, sizeof h);
#endif
#ifdef OUTLIVES
  kept->p = NULL;
#endif
}

int main(void) {
  keep();
  return kept && kept->n != 1;
}
