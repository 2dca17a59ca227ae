// longjmp drops the pins and the exposed locals of the frames that it discards, through nested
// deletes calls.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>

static jmp_buf out;

static NOINLINE void jump(region r, int depth) deletes {
  node *exposed = new_node(r), *live = new_node(r);
  opaque(&exposed);
  if (depth == 0)
    longjmp(out, 5);
  jump(r, depth - 1);
  CHECK(live->value == 42);
}

int main(void) deletes {
  region r = newregion();
  for (volatile int round = 0; round < 3; round++) {
    node *kept = new_node(r);
    opaque(&kept);
    int how = setjmp(out);
    if (how == 0)
      jump(r, 10);
    CHECK(how == 5);
    CHECK_HELD(r, 1);
    kept = 0;
    CHECK_COUNT(r, 0);
  }
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
}
