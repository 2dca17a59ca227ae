// A jump back into its own function ends the life of block-scope variables: their records go.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>

static NOINLINE void jump_out_of_block(region r) deletes {
  jmp_buf out;
  if (setjmp(out) == 0) {
    node *scoped = new_node(r);
    opaque(&scoped);
    CHECK_HELD(r, 1);
    longjmp(out, 1);
  }
}
static NOINLINE void jump_repeatedly(region r) deletes {
  jmp_buf out;
  volatile int rounds = 0;
  node *kept = new_node(r);
  opaque(&kept);
  setjmp(out);
  if (rounds++ < 5) {
    node *array[4] = {kept, kept, kept, kept};
    opaque(array);
    longjmp(out, 1);
  }
  DELETE_REFUSED(r);
  CHECK(kept->value == 42);
}

int main(void) deletes {
  region r = newregion();
  jump_out_of_block(r);
  CHECK_COUNT(r, 0);
  jump_repeatedly(r);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
