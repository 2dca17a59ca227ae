// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=64K,pause=0 %t.O2
// RUN: env ACRE_HEAP=poison,growth=64K,increment=256 %t.O2
// RUN: env ACRE_HEAP=poison,growth=64K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// The heap works in the child of a fork, also when other threads allocate at that moment; in
// programs that leave frames by longjmp, keep pointers in a jmp_buf, run on another stack, and in
// exit handlers.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static atomic_bool is_done;
static item *list;
static jmp_buf env;
static ucontext_t main_context, other_context;

static void *allocate_always(void *argument) {
  (void)argument;
  for (unsigned long i = 0; !atomic_load(&is_done); i++) {
    item *fresh = new_item(i);
    CHECK(is_whole(fresh, i));
    free(fresh);
  }
  return NULL;
}

static void in_child(void) {
  for (unsigned long i = 0; i < 100000; i++)
    CHECK(is_whole(new_item(i), i));
  for (item *i = list; i; i = i->next)
    CHECK(i->complement == ~i->number);
  CHECK(acre_collected_check());
  _exit(0);
}

static void forks(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, allocate_always, NULL);
  for (int i = 0; i < 10; i++) {
    pid_t child = fork();
    if (child == 0)
      in_child();
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  atomic_store(&is_done, 1);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

__attribute__((noinline)) static void jump(void) { longjmp(env, 1); }

static void jumps(void) {
  item *volatile before = new_item(77);
  item *kept = before;
  if (setjmp(env) == 0) {
    churn();
    jump();
  }
  churn();
  CHECK(is_whole(before, 77) && is_whole(kept, 77));
}

static void on_other_stack(void) {
  item *local = new_item(88);
  swapcontext(&other_context,
              &main_context); /* only this stack refers to it, and the stack is collected memory */
  CHECK(is_whole(local, 88));
}

static void contexts(void) {
  getcontext(&other_context);
  other_context.uc_stack.ss_size = 64 << 10;
  other_context.uc_stack.ss_sp = malloc(64 << 10);
  other_context.uc_link = &main_context;
  makecontext(&other_context, on_other_stack, 0);
  swapcontext(&main_context, &other_context);
  churn();
  swapcontext(&main_context, &other_context);
}

static void at_exit(void) {
  for (unsigned long i = 0; i < 100000; i++)
    new_item(i);
  for (item *i = list; i; i = i->next)
    CHECK(i->complement == ~i->number);
}

int main(void) {
  atexit(at_exit);
  for (unsigned long i = 0; i < 1000; i++) {
    item *fresh = new_item(i);
    fresh->next = list;
    list = fresh;
  }
  forks();
  jumps();
  contexts();
}
