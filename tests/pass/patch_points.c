// A unit that names no region has plain stores on x86-64, long enough for a jump, and tables of
// where they are.  What cannot be one is followed by a test: thread-local slots, atomic stores,
// small parts of words, stores that were merged.
// REQUIRES: x86
// RUN: %acre-cc -O2 -S %s -o - | FileCheck %s
// RUN: %acre-cc -O2 -c -ffunction-sections %s -o %t.o
// RUN: llvm-objdump-22 -d %t.o | FileCheck %s --check-prefix=BYTES
// RUN: llvm-objdump-22 -s -j acre_pointer_patches %t.o | FileCheck %s --check-prefix=TABLE

// CHECK-LABEL: {{^}}link:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_pointer_patches,"ao",@progbits,link
// CHECK: movq %rsi, (%rdi)
// CHECK: .section acre_pointer_patches,"ao",@progbits,link
// CHECK: movq %rdi, 8(%rsi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
// BYTES-LABEL: <link>:
// BYTES-NEXT: 3e 3e 3e 48 89 37 movq %rsi, %ds:(%rdi)
// BYTES-NEXT: 3e 3e 48 89 7e 08 movq %rdi, %ds:0x8(%rsi)
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
// CHECK: .section acre_pointer_patches,"ao",@progbits,number
// CHECK: movq %rsi, (%rdi)
// CHECK: retq
union word {
  void *pointer;
  long number;
  int half;
  short quarter;
};
void number(union word *to, long value) { to->number = value; }

// A short copy is made word by word, all of it read first: so the word of the union has a point.
// CHECK-LABEL: {{^}}copy:
// CHECK-NOT: acre_rt_active
// CHECK: movq (%rsi), %[[KIND:[a-z]+]]
// CHECK-NEXT: movq 8(%rsi), %[[WORD:[a-z]+]]
// CHECK: movq %[[KIND]], (%rdi)
// CHECK: .section acre_word_patches,"ao",@progbits,copy
// CHECK: movq %[[WORD]], 8(%rdi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
struct value {
  int kind;
  union word word;
};
void copy(struct value *to, const struct value *from) { *to = *from; }

// CHECK-LABEL: {{^}}half:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_word_patches,"ao",@progbits,half
// CHECK: movl %esi, (%rdi)
// CHECK: retq
// BYTES-LABEL: <half>:
// BYTES-NEXT: 3e 3e 3e 3e 89 37 movl %esi, %ds:(%rdi)
// BYTES-NEXT: retq
void half(union word *to, int value) { to->half = value; }

// CHECK-LABEL: {{^}}quarter:
// CHECK-NOT: _patches
// CHECK: acre_rt_active
void quarter(union word *to, short value) { to->quarter = value; }

// A function's table begins with 0 and where the function does; each point is a distance then.
// CHECK-LABEL: {{^}}chain:
// CHECK: .section acre_pointer_patches,"ao",@progbits,chain
// CHECK-NEXT: .byte 0
// CHECK: .long
// CHECK: .uleb128
// CHECK: .uleb128
// TABLE: 0000 00000000 000806
void chain(struct node *a) {
  a->previous->next = a->next;
  a->next->previous = a->previous;
}

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
// Where a local ends that a callee may have stored in, nothing is done, and the table has its size.
// CHECK-LABEL: {{^}}local:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_release_patches,"ao",@progbits,local
// CHECK: .section acre_release_patches,"ao",@progbits,local
// CHECK: {{[.](byte|uleb128)}} 24
// CHECK: nopl (%rsp)
// CHECK: retq
// BYTES-LABEL: <local>:
// BYTES: 3e 3e 0f 1f 04 24 nopl %ds:(%rsp)
void fill(void **slots);
void local(void) {
  void *slots[3];
  fill(slots);
}
// CHECK: __start_acre_pointer_patches
