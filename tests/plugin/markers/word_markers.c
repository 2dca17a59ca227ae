// RUN: %acre-cc -O1 -fno-strict-aliasing -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | \
// RUN:   FileCheck %s
// RUN: %acre-cc -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s \
// RUN:   --check-prefix=TYPED
// The words of a record that is assigned are named where it has padding, or accesses have no types:
// pointers, numbers, bytes.
// TYPED-LABEL: @named(
// TYPED-COUNT-2: call ptr @__acre_slot_words(
// TYPED: ret void
// TYPED-LABEL: @unnamed(
// TYPED-NOT: __acre_slot_words(
// TYPED: ret void
#include <acre/acre.h>
#include <stdint.h>

enum kind { KIND_A, KIND_B };
struct pair {
  int first;
  void *second;
};
struct record {
  struct pair pairs[2];
  unsigned bits : 3;
  enum kind kind;
  double number;
  region handle;
};
struct bytes {
  char *text;
  char small[3];
  union {
    int number;
    char *name;
  };
};
struct __attribute__((packed)) unaligned {
  int before;
  short after[6];
};
struct large {
  void *pointers[9];
};
struct flexible {
  uintptr_t length;
  void *items[];
};

// CHECK-DAG: c"npnpnnn\00"
// CHECK-DAG: c"pnb\00"
// CHECK-DAG: c"n\00"

// CHECK-LABEL: @named(
// CHECK-COUNT-3: call ptr @__acre_slot_words(
// CHECK: ret void
void named(struct record *a, struct record *b, struct bytes *c, struct bytes *d,
           struct flexible *e) {
  *a = *b;
  *c = *d;
  *e = *e;
}

// CHECK-LABEL: @unnamed(
// CHECK-NOT: __acre_slot_words
// CHECK: ret void
void unnamed(struct unaligned *a, struct large *b, struct pair *c, volatile struct pair *d) {
  struct pair local = *c;
  *a = *(a + 1);
  *b = *(b + 1);
  *d = local;
}
