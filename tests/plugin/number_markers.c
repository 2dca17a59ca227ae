// RUN: %acre-cc -O0 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
// Copies between arrays of numbers are told from copies of bytes and words, which may be anything.
#include <string.h>

// CHECK-LABEL: @numbers(
// CHECK-COUNT-3: call ptr @__acre_slot_numbers(
// CHECK: ret void
void numbers(unsigned *a, const unsigned *b, double *d, double (*e)[4], size_t n) {
  memcpy(a, b, n);
  memmove(d, (const void *)e, n);
  memset(a, 0, n);
}

// CHECK-LABEL: @others(
// CHECK-NOT: __acre_slot_numbers
// CHECK: ret void
void others(unsigned *a, char *c, const char *d, long *l, const void *v, size_t n) {
  memcpy(c, d, n);
  memcpy(l, l + 9, n);
  memcpy(a, v, n);
  memcpy(a, c, n);
  memset(c, 0, n);
}
