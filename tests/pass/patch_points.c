// A unit that names no region has plain stores on x86-64, long enough for a jump, and tables of
// where they are.  What cannot be one is followed by a test: thread-local slots, atomic stores,
// parts of words, stores that were merged.
// REQUIRES: x86
// RUN: %acre-cc -O2 -S %s -o - | FileCheck %s
// RUN: %acre-cc -O2 -c -ffunction-sections %s -o %t.o
// RUN: llvm-objdump-22 -d %t.o | FileCheck %s --check-prefix=BYTES

// CHECK-LABEL: {{^}}link:
// CHECK-NOT: acre_rt_active
// CHECK: {disp32} movq %rsi, (%rdi)
// CHECK: .section acre_pointer_patches,"ao",@progbits,link
// CHECK: {disp32} movq %rdi, 8(%rsi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
// BYTES-LABEL: <link>:
// BYTES-NEXT: 3e 48 89 b7 00 00 00 00 movq %rsi, %ds:(%rdi)
// BYTES-NEXT: 3e 48 89 be 08 00 00 00 movq %rdi, %ds:0x8(%rsi)
// BYTES-NEXT: retq
struct node {
  struct node *next, *previous;
};
void link(struct node *a, struct node *b) {
  a->next = b;
  b->previous = a;
}

// CHECK-LABEL: {{^}}number:
// CHECK-NOT: acre_rt_active
// CHECK: {disp32} movq %rsi, (%rdi)
// CHECK: .section acre_pointer_patches,"ao",@progbits,number
// CHECK: retq
union word {
  void *pointer;
  long number;
  int half;
};
void number(union word *to, long value) { to->number = value; }

// A short copy is made word by word, all of it read first: so the word of the union has a point.
// CHECK-LABEL: {{^}}copy:
// CHECK-NOT: acre_rt_active
// CHECK: movq (%rsi), %[[KIND:[a-z]+]]
// CHECK-NEXT: movq 8(%rsi), %[[WORD:[a-z]+]]
// CHECK: movq %[[KIND]], (%rdi)
// CHECK: {disp32} movq %[[WORD]], 8(%rdi)
// CHECK: .section acre_word_patches,"ao",@progbits,copy
// CHECK-NOT: acre_rt_active
// CHECK: retq
struct value {
  int kind;
  union word word;
};
void copy(struct value *to, const struct value *from) { *to = *from; }

// CHECK-LABEL: {{^}}half:
// CHECK-NOT: _patches
// CHECK: acre_rt_active
void half(union word *to, int value) { to->half = value; }

// CHECK-LABEL: {{^}}thread:
// CHECK-NOT: _patches
// CHECK: acre_rt_active
_Thread_local void *own;
void thread(void *p) { own = p; }

// CHECK-LABEL: {{^}}atomic:
// CHECK-NOT: _patches
// CHECK: acre_rt_active
void *_Atomic shared;
void atomic(void *p) { shared = p; }

// Values in vector registers are kept where a barrier would lose them.
// CHECK-LABEL: {{^}}sum:
// CHECK: retq
double sum(void **slot, void *p, double a, double b) {
  *slot = p;
  return a + b;
}
// CHECK: __start_acre_pointer_patches
