// A field of a record passed by value was taken to be in the parameter's region, the traditional
// one, and a check went.
// RUN: %acre-cc -O2 %s -o %t && not --crash %t 2>&1 | %whole %s
// CHECK: acre: fatal: [[FILE]]:[[@LINE+18]]: in keep: traditional pointer may not point into the
// CHECK-SAME: region created at [[FILE]]:[[@LINE+21]]
// CHECK-NEXT: value {{0x[0-9a-f]+}}: int allocated at [[FILE]]:[[@LINE+22]]
// CHECK-NEXT: slot {{0x[0-9a-f]+}}: field 'outside' of struct holder allocated at
// CHECK-SAME: [[FILE]]:[[@LINE+21]] in the region created at [[FILE]]:[[@LINE+18]]
// CHECK-NEXT: held by the region created at [[FILE]]:[[@LINE+17]]
#include <acre/acre.h>

struct large {
  int *sameregion number;
  long more[3];
};

struct holder {
  int *traditional outside;
};

__attribute__((noinline)) static void keep(struct large value, struct holder *holder) {
  holder->outside = value.number;
}

int main(void) {
  region r = newregion();
  struct large *large = ralloc(r, struct large);
  large->number = ralloc(r, int);
  keep(*large, ralloc(r, struct holder));
  return 0;
}
