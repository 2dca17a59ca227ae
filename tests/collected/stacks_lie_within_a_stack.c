// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2
// RUN: env ACRE_HEAP=poison,growth=256K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// The stack of a coroutine, and that for signals, may be arrays in a frame. While a thread runs
// there, its frames below are in use.
#include "Inputs/check.h"
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 17, DEPTH = 5, ITEMS = 8 };
static _Thread_local ucontext_t caller, coroutine;
static volatile int is_handling, has_collected;

__attribute__((noinline)) static void allocate_garbage(void) {
  for (int i = 0; i < 4; i++)
    churn();
}

static void run(void) {
  for (;;) {
    allocate_garbage();
    swapcontext(&coroutine, &caller);
  }
}

static void resume(void) { swapcontext(&caller, &coroutine); }
static void resume_for_good(void) {
  volatile int is_back = 0;
  getcontext(&caller);
  if (!is_back) {
    is_back = 1;
    setcontext(&coroutine);
  }
}
static void raise_here(void) { raise(SIGUSR1); }
static void raise_for_other(void) { raise(SIGUSR2); }

static void handle(int signal) {
  (void)signal;
  allocate_garbage();
}

static void wait_for_collection(int signal) {
  (void)signal;
  is_handling = 1;
  while (!has_collected)
    ;
}

/* Frames with items, below the one that has the stacks. */
__attribute__((noinline)) static void leave(int depth, void (*how)(void)) {
  item *items[ITEMS];
  for (unsigned long i = 0; i < ITEMS; i++)
    items[i] = new_item(i);
  __asm__ volatile("" : : "r"(items) : "memory");
  if (depth)
    leave(depth - 1, how);
  else
    how();
  for (unsigned long i = 0; i < ITEMS; i++)
    CHECK(is_whole(items[i], i));
}

__attribute__((noinline)) static void run_coroutine(void) {
  char stack[STACK_BYTES];
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = sizeof stack;
  makecontext(&coroutine, run, 0);
  leave(DEPTH, resume);
  leave(DEPTH, resume_for_good);
  leave(DEPTH, resume);
}

__attribute__((noinline)) static void take_signal(void (*how)(void)) {
  char bytes[STACK_BYTES];
  sigaltstack(&(stack_t){.ss_sp = bytes, .ss_size = sizeof bytes}, NULL);
  leave(DEPTH, how);
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

static void *coroutine_thread(void *unused) {
  free(new_item(1));
  run_coroutine();
  return unused;
}

static void *signal_thread(void *unused) {
  free(new_item(1));
  take_signal(raise_here);
  return unused;
}

/* Others collect while it handles a signal. */
static void *handling_thread(void *unused) {
  free(new_item(1));
  take_signal(raise_for_other);
  return unused;
}

static void in_thread(void *(*start)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, NULL);
  if (start == handling_thread) {
    while (!is_handling)
      ;
    allocate_garbage();
    has_collected = 1;
  }
  pthread_join(thread, NULL);
}

int main(void) {
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handle, .sa_flags = SA_ONSTACK}, NULL);
  sigaction(SIGUSR2, &(struct sigaction){.sa_handler = wait_for_collection, .sa_flags = SA_ONSTACK},
            NULL);
  in_thread(coroutine_thread);
  in_thread(signal_thread);
  in_thread(handling_thread);
  run_coroutine();
  puts("ok");
}
