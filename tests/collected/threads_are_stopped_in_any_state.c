// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -o %t.O2
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2 defaults
// RUN: env ACRE_HEAP=poison,growth=256K,whole %t.O2 defaults
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2 namespace
// RUN: not --crash env ACRE_HEAP=poison,growth=256K %t.O2 pending 2>&1 | %whole %s
// CHECK: acre: fatal: Acre cannot stop threads: as many signals are pending as the user
// CHECK-SAME: may have (ulimit -i)
// Threads that keep pointers in registers are stopped also where the program sets all signals to
// their defaults, where /proc is that of another namespace and numbers threads otherwise, and never
// left running where they cannot be signalled.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 200, REVERSALS = 50, GARBAGE = 100000 };
static atomic_bool is_done;

static void *reverse_lists(void *unused) {
  while (!atomic_load(&is_done)) {
    item *list = NULL;
    for (unsigned long i = 0; i < LENGTH; i++) {
      item *fresh = new_item(i);
      fresh->next = list;
      list = fresh;
    }
    for (int i = 0; i < REVERSALS; i++) {
      item *reversed = NULL;
      for (item *next; list; list = next) {
        CHECK(list->complement == ~list->number);
        next = list->next;
        list->next = reversed;
        reversed = list;
      }
      list = reversed;
    }
  }
  return unused;
}

static void allocate(int rounds) {
  for (unsigned long i = 0; i < (unsigned long)rounds * GARBAGE; i++)
    CHECK(is_whole(new_item(i), i));
}

static void with_thread(void (*between)(void)) {
  pthread_t thread;
  atomic_store(&is_done, 0);
  pthread_create(&thread, NULL, reverse_lists, NULL);
  allocate(2);
  between();
  allocate(8);
  atomic_store(&is_done, 1);
  pthread_join(thread, NULL);
}

static void set_defaults(void) {
  for (int s = 1; s < NSIG; s++)
    signal(s, SIG_IGN);
  for (int s = 1; s < NSIG; s++)
    signal(s, SIG_DFL);
}

static void let_none_be_pending(void) { setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){0, 0}); }

static void do_nothing(void) {}

/* Where that is allowed. */
static void in_namespace(void) {
  if (unshare(CLONE_NEWPID) != 0)
    return;
  pid_t child = fork();
  if (child == 0) {
    with_thread(do_nothing);
    exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  if (strcmp(arguments[1], "namespace") == 0)
    in_namespace();
  else
    with_thread(strcmp(arguments[1], "defaults") == 0 ? set_defaults : let_none_be_pending);
  puts("ok");
}
