// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t
// RUN: env ACRE_HEAP=growth=64K,whole,check %t
// RUN: env ACRE_HEAP=growth=64K,check %t
// A thread that has switched to a context above its frame has its stack searched below the stack
// pointer too, where the collector's own frames are: the verifier took what is in those for
// pointers of the program.
#include "../collected/Inputs/check.h"
#include <ucontext.h>

enum { STACK_BYTES = 1 << 16, ROUNDS = 20, OBJECTS = 500 };
static ucontext_t caller, coroutine;

__attribute__((noinline)) static void allocate_and_free(void) {
  for (size_t i = 0; i < OBJECTS; i++)
    free(memset(malloc(1 + i), 0x55, 1 + i));
}

static void run(void) {
  for (;;) {
    allocate_and_free();
    swapcontext(&coroutine, &caller);
  }
}

int main(void) {
  char *stack = malloc(STACK_BYTES);
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = STACK_BYTES;
  makecontext(&coroutine, run, 0);
  for (int i = 0; i < ROUNDS; i++) {
    swapcontext(&caller, &coroutine);
    allocate_and_free();
  }
  CHECK(acre_collected_check());
  return 0;
}
