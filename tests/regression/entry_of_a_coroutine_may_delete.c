// The entry of a coroutine could not be given to makecontext if it may delete, as code on another
// stack may.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include "../end_to_end/Inputs/coroutine.h"

static bool is_done;

static void switch_stacks(ucontext_t *from, ucontext_t *to) deletes { swapcontext(from, to); }

static void run(void) deletes {
  for (int i = 0; i < 3; i++) {
    region r = newregion();
    node *n = new_node(r);
    switch_stacks(&coroutine, &main_context);
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
  }
  is_done = true;
  switch_stacks(&coroutine, &main_context);
}

int main(void) deletes {
  char *stack = prepare_coroutine();
  makecontext(&coroutine, run, 0);
  while (!is_done) {
    region r = newregion();
    node *n = new_node(r);
    switch_stacks(&main_context, &coroutine);
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
  }
  free(stack);
  return 0;
}
