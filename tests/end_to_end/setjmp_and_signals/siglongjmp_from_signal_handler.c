// siglongjmp out of a signal handler drops what the interrupted frames held.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf out;
static node *stored_by_handler;
static node *to_store;

static void handler(int number) {
  (void)number;
  node *exposed = to_store;
  opaque(&exposed);
  stored_by_handler = to_store;
  siglongjmp(out, 1);
}

static NOINLINE void interrupted(region r) deletes {
  node *exposed = new_node(r), *live = new_node(r);
  opaque(&exposed);
  raise(SIGUSR1);
  DELETE_REFUSED(r);
  CHECK(live->value == 42);
}

int main(void) deletes {
  region r = newregion();
  signal(SIGUSR1, handler);
  to_store = new_node(r);
  for (volatile int i = 0; i < 3; i++) {
    if (sigsetjmp(out, 1) == 0)
      interrupted(r);
    CHECK_COUNT(r, 2);
  }
  stored_by_handler = to_store = 0;
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
