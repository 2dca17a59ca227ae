// A `deletes` function that called swapcontext itself lost its locals to deletes on other stacks.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include "../end_to_end/Inputs/coroutine.h"

static node *given;

static void run(void) deletes {
  node *mine = given;
  given = NULL;
  swapcontext(&coroutine, &main_context);
  CHECK(mine->value == 42);
  swapcontext(&coroutine, &main_context);
}

int main(void) deletes {
  char *stack = prepare_coroutine();
  makecontext(&coroutine, run, 0);
  region r = newregion();
  given = new_node(r);
  swapcontext(&main_context, &coroutine);
  DELETE_REFUSED(r);
  swapcontext(&main_context, &coroutine);
  DELETE_ACCEPTED(r);
  free(stack);
  return 0;
}
