// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: env ACRE_HEAP=poison,check,growth=256K %t.O0
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2
// RUN: env ACRE_HEAP=poison,growth=256K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A stack in collected memory stays while only the kernel knows of it (that for signals), and while
// a thread runs on it; so do the objects that only its frames refer to.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <signal.h>

enum { STACK_BYTES = 1 << 17, GARBAGE = 30000 };
static volatile sig_atomic_t handled;

__attribute__((noinline)) static void allocate_garbage(void) {
  for (int i = 0; i < GARBAGE; i++)
    new_item(12345);
}

static void handle(int signal) {
  item *volatile mine = new_item((unsigned long)signal);
  for (int i = 0; i < 4; i++)
    allocate_garbage();
  CHECK(is_whole(mine, (unsigned long)signal));
  handled++;
}

/* What stack_t says, and where that was, is gone from the frames. */
__attribute__((noinline)) static void give_stack(int flags) {
  stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES, .ss_flags = flags};
  CHECK(acre_collected_owns(stack.ss_sp) && sigaltstack(&stack, NULL) == 0);
  memset(&stack, 0, sizeof stack);
  __asm__ volatile("" : : "r"(&stack) : "memory");
}

__attribute__((noinline)) static void take_signals(void) {
  for (int i = 0; i < 3; i++) {
    allocate_garbage();
    raise(SIGUSR1);
  }
}

/* The collection is started by another thread while this one handles a signal. */
static int barrier[2];
static void wait_for_collection(int signal) {
  item *volatile mine = new_item((unsigned long)signal);
  __atomic_store_n(&barrier[0], 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&barrier[1], __ATOMIC_SEQ_CST))
    ;
  CHECK(is_whole(mine, (unsigned long)signal));
  handled++;
}

static void *take_signal(void *unused) {
  (void)unused;
  give_stack(0);
  churn();
  raise(SIGUSR2);
  return NULL;
}

int main(void) {
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handle, .sa_flags = SA_ONSTACK}, NULL);
  sigaction(SIGUSR2, &(struct sigaction){.sa_handler = wait_for_collection, .sa_flags = SA_ONSTACK},
            NULL);
  give_stack(0);
  take_signals();
#ifdef SS_AUTODISARM
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  give_stack((int)SS_AUTODISARM);
  raise(SIGUSR1);
#else
  handled++;
#endif
  CHECK(handled == 4);
  pthread_t thread;
  pthread_create(&thread, NULL, take_signal, NULL);
  while (!__atomic_load_n(&barrier[0], __ATOMIC_SEQ_CST))
    ;
  churn();
  __atomic_store_n(&barrier[1], 1, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
  CHECK(handled == 5);
  puts("ok");
}
