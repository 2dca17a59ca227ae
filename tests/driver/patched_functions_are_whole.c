// A table of patch points has distances within a function: where Clang is told to put parts of
// functions into other sections, stores are followed by tests.
// REQUIRES: x86
// RUN: %acre-cc -O2 -c %s -o %t.o && llvm-objdump-22 -h %t.o | FileCheck %s
// RUN: %acre-cc -O2 -c %s -fbasic-block-sections=all -o %t.o && llvm-objdump-22 -h %t.o \
// RUN:   | FileCheck %s --check-prefix=TESTED
// RUN: %acre-cc -O2 -c %s -fsplit-machine-functions -o %t.o && llvm-objdump-22 -h %t.o \
// RUN:   | FileCheck %s --check-prefix=TESTED
// RUN: %acre-cc -O2 -c %s -fbasic-block-sections=all -fbasic-block-sections=none -o %t.o && \
// RUN:   llvm-objdump-22 -h %t.o | FileCheck %s
// CHECK: acre_pointer_patches
// TESTED-NOT: acre_pointer_patches
struct node {
  struct node *next;
};
void visit(struct node *of);
void link(struct node *a, struct node *b, int count) {
  a->next = b;
  while (count-- > 0) {
    visit(b);
    b->next = a;
  }
}
