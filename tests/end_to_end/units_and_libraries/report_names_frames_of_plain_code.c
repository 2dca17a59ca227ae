// A pointer kept in a frame of code that Acre did not compile: the report asks the unwinder whose
// frame that is.  Only then is it loaded.
// RUN: %acre-cc -fno-acre -O1 -c -DPLAIN %s -o %t.plain.o
// RUN: %each_level --expect-abort -o %t %s %t.plain.o -- -rdynamic
// RUN: %if !foreign %{ ldd %t.O2 | FileCheck --check-prefix=LOADED %s %}
// LOADED-NOT: libgcc
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+18]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+18]]
// ABORT-NEXT: 1. a local variable on the stack of function plain_holds points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: set these variables to null before the region is deleted
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
