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

// A short copy is made by two words at once, all of it read first.  If one of the two is that of a
// union, their store is a point, and the table says which of them is.
// CHECK-LABEL: {{^}}copy:
// CHECK-NOT: acre_rt_active
// CHECK: movups (%rsi), %[[BOTH:xmm[0-9]+]]
// CHECK: .section acre_word_patches,"ao",@progbits,copy
// CHECK: .uleb128 {{.*}}*2)+1
// CHECK: movups %[[BOTH]], (%rdi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
// BYTES-LABEL: <copy>:
// BYTES: 3e 3e 3e 0f 11 07 movups %xmm0, %ds:(%rdi)
// BYTES-NEXT: retq
struct value {
  int kind;
  union word word;
};
void copy(struct value *to, const struct value *from) { *to = *from; }

// Where there is AVX, its instructions are not mixed with others.
// CHECK-LABEL: {{^}}copy_avx:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_word_patches,"ao",@progbits,copy_avx
// CHECK: retq
__attribute__((target("avx"))) void copy_avx(struct value *to, const struct value *from) {
  *to = *from;
}

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

// Heap memory that is filled with zeros, likewise.
// CHECK-LABEL: {{^}}zero:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_release_patches,"ao",@progbits,zero
// CHECK: {{[.](byte|uleb128)}} 80
// CHECK: nopl
// CHECK: retq
struct node *zero(struct node *nodes) {
  return __builtin_memset(nodes, 0, 5 * sizeof *nodes);
}

// One of two words that are cleared at once.
// CHECK-LABEL: {{^}}clear:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_word_patches,"ao",@progbits,clear
// CHECK: movups %xmm{{[0-9]+}}, (%rdi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
struct text {
  char *at;
  long length;
};
void clear(struct text *t) {
  t->at = 0;
  t->length = 0;
}

// A store that the one behind it makes needless is gone; that one has the point of both.
// CHECK-LABEL: {{^}}advance:
// CHECK-NOT: acre_rt_active
// CHECK: .section acre_pointer_patches,"ao",@progbits,advance
// CHECK: movq %{{[a-z]+}}, (%rdi)
// CHECK-NOT: acre_rt_active
// CHECK: retq
void advance(struct text *t, char *to, int *count) {
  t->at = to;
  ++*count;
  t->at++;
}


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
