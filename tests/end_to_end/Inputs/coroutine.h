/* A coroutine on a stack of malloc, for the tests that switch stacks. */
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t main_context, coroutine;

/* For makecontext, which names where it begins.  Returns its stack, to be freed. */
static char *prepare_coroutine(void) {
  enum { BYTES = 1 << 18 };
  char *stack = malloc(BYTES);
  CHECK(stack && getcontext(&coroutine) == 0);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = BYTES;
  coroutine.uc_link = &main_context;
  return stack;
}
