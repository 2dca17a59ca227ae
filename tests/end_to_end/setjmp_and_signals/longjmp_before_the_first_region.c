// longjmp leaves frames that wait in calls that may delete before there is a region: their pins go,
// and those of frames that stay are kept.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

#include <setjmp.h>

static jmp_buf env;

NOINLINE static void inner(void) deletes { longjmp(env, 1); }

NOINLINE static void middle(void *held) deletes {
  inner();
  CHECK(opaque(held) == held);
}

NOINLINE static void jump(void *held) deletes {
  for (volatile int round = 0; round < 3; round++)
    if (setjmp(env) == 0)
      middle(opaque(held));
}

/* Waits while there is no region, and then while there is one, which its own pin does not hold. */
NOINLINE static region make(void *held) deletes {
  jump(held);
  region r = newregion();
  node *n = new_node(r);
  jump(n);
  CHECK_COUNT(r, 0);
  CHECK_HELD(r, 1);
  CHECK(n->value == 42 && opaque(held) == held);
  return r;
}

int main(void) deletes {
  int local = 0;
  region r = make(opaque(&local));
  jump(&local);
  DELETE_ACCEPTED(r);
  jump(&local);
  CHECK(acre_verify());
}
