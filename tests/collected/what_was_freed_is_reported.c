// RUN: %acre-cc -O1 -g -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=report %t.q 2>&1 | %whole %s
// RUN: not env ACRE_HEAP=report=7 %t.q 2> %t.text
// RUN: %whole --input-file=%t.text %s
// RUN: env ACRE_HEAP=report=7 %t.q nothing 2>&1 | count 0
// RUN: %acre-cc -O1 -g -facre-malloc=collected %s -o %t.c
// RUN: env ACRE_HEAP=report %t.c 2>&1 | %whole %s
// RUN: env ACRE_HEAP=report=7 %t.c nothing 2>&1 | count 0
// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t.n
// RUN: env ACRE_HEAP=report %t.n 2>&1 | FileCheck %s --check-prefix=PLAIN
// ACRE_HEAP=report tells each object once that was freed and is still referred to, or freed twice,
// with the lines of allocation, of what freed it, and of the referrer; what is on a stack is not
// told.  At the latest at exit, where a collection runs; report=STATUS is the exit status then.
// CHECK: acre: {{.*}}[[FILE]]:46: in twice: free: 0x{{[0-9a-f]+}} was freed before, at
// CHECK-SAME: {{^ [^ ]*}}[[FILE]]:45 in twice, allocated at {{[^ ]*}}[[FILE]]:44 in twice
// CHECK: acre: heap "process": the object of 100 bytes at 0x{{[0-9a-f]+}}, allocated at
// CHECK-SAME: {{^ [^ ]*}}[[FILE]]:58 in main, was freed at {{[^ ]*}}[[FILE]]:59 in main but is
// CHECK-SAME: {{^ }}still referred to by the variable at 0x{{[0-9a-f]+}}, 0x{{[0-9a-f]+}} from the
// CHECK-SAME: {{^ }}start of its program or library
// CHECK: acre: heap "process": the object of 24 bytes at 0x{{[0-9a-f]+}}, allocated at
// CHECK-SAME: {{^ [^ ]*}}[[FILE]]:34 in make, was freed at {{[^ ]*}}[[FILE]]:38 in drop but is
// CHECK-SAME: {{^ }}still referred to by the object of 40 bytes at 0x{{[0-9a-f]+}}, at offset 16,
// CHECK-SAME: {{^ }}allocated at {{[^ ]*}}[[FILE]]:54 in main
// PLAIN: acre: free: 0x{{[0-9a-f]+}} was freed before{{$}}
// PLAIN: acre: heap "process": the object of 24 bytes at 0x{{[0-9a-f]+}} was freed but is still
// PLAIN-SAME: {{^ }}referred to by the object of 40 bytes at 0x{{[0-9a-f]+}}, at offset 16{{$}}
#include "Inputs/check.h"

struct holder { void *unused[2], *last, *more[2]; };
static struct holder *holder;
static char *grown;

__attribute__((noinline)) static void make(void) {
  holder->last = malloc(24);
}

__attribute__((noinline)) static void drop(void) {
  free(holder->last);
}

static void *volatile taken;

__attribute__((noinline)) static void twice(void) {
  taken = malloc(10);
  free(taken);
  free(taken);
  taken = NULL;
}

int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1)
    return 0;
  holder = malloc(sizeof *holder);
  twice();
  make();
  drop();
  grown = malloc(100);
  free(grown);
  acre_collected_collect();
  acre_collected_collect();
  return 0;
}
