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

struct position {
  unsigned type : 6, stream : 14, column : 12;
  unsigned line : 31, is_expanded : 1;
};
struct range {
  struct position from, to;
};
struct text {
  struct position at;
  char bytes[8];
};
union place {
  struct position position;
  void *pointer;
};
struct position position_of(void *);

// CHECK-LABEL: @records(
// CHECK-COUNT-3: call ptr @__acre_slot_numbers(
// CHECK: ret void
void records(struct range *a, const struct range *b, struct position *p) {
  *a = *b;
  a->to = *p;
  *p = position_of(a);
}

// CHECK-LABEL: @other_records(
// CHECK-NOT: __acre_slot_numbers
// CHECK: ret void
void other_records(struct text *a, struct text *b, union place *u, struct position p) {
  struct position local = p;
  *a = *b;
  u->position = local;
  local = *&b->at;
}
