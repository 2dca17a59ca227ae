// The record of a local in a block left by longjmp to the same function outlived the function.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <setjmp.h>

static NOINLINE void jump(region r) {
  jmp_buf out;
  if (setjmp(out) == 0) {
    node *scoped = new_node(r);
    opaque(&scoped);
    longjmp(out, 1);
  }
}

int main(void) {
  region r = newregion();
  jump(r);
  CHECK_COUNT(r, 0);
}
