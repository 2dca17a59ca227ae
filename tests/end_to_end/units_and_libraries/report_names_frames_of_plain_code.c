// RUN: %clang -O1 -c -DPLAIN %s -o %t.plain.o
// RUN: %each_level --expect-abort "cannot delete the region" -o %t %s %t.plain.o -- -rdynamic
// RUN: not --crash %t.O2 2>&1 | FileCheck %s
// RUN: ldd %t.O2 | FileCheck --check-prefix=LOADED %s
// A pointer kept in a frame of code that Acre did not compile: the report asks the unwinder whose frame that is.  Only then is it loaded.
// CHECK: a local variable on the stack of function plain_holds
// LOADED-NOT: libgcc
#ifdef PLAIN
void work(void *slot);
void plain_holds(void) {
  void *held[4] = {0};
  work(&held[2]);
  __asm__ volatile("" : : "r"(held) : "memory");
}
#else
#include "../Inputs/check.h"

void plain_holds(void) deletes;
static NOINLINE void fill(node **slot) deletes {
  region in = newregion();
  *slot = new_node(in);
  deleteregion(in);
}

void work(node **slot) deletes {
  node *local = new_node(newregion());
  fill(slot);
  CHECK(local);
}

int main(void) deletes { plain_holds(); }
#endif
