// After longjmp the pins and exposed locals of the frames that remain still count.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>

static jmp_buf out;

static NOINLINE void jump(void) deletes { longjmp(out, 1); }

static NOINLINE void inner(region r) deletes {
  if (setjmp(out) == 0)
    jump();
  DELETE_REFUSED(r);
}

static NOINLINE void live_across_setjmp(region r) deletes {
  node *n = new_node(r);
  if (setjmp(out) == 0)
    jump();
  DELETE_REFUSED(r);
  CHECK(n->value == 42);
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *live = new_node(r), *exposed = new_node(s);
  opaque(&exposed);
  inner(r);
  inner(s);
  CHECK(live->value == 42 && exposed->value == 42);
  live_across_setjmp(r);
  DELETE_ACCEPTED(r);
  DELETE_REFUSED(s);
  CHECK(exposed->value == 42);
  exposed = 0;
  DELETE_ACCEPTED(s);
}
