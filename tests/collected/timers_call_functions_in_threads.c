// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: %t.O0
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// The C library serves timers that call a function (SIGEV_THREAD) in a thread that blocks all
// signals, which the collector could not stop. What the function is given stays while only the
// timer refers to it; a child makes timers of its own.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int calls, once_calls;

static void tick(union sigval value) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  CHECK(!sigismember(&blocked, SIGUSR1) && is_whole(value.sival_ptr, 7));
  new_item(1);
  __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}

static void tick_once(union sigval value) {
  CHECK(value.sival_int == 5);
  __atomic_add_fetch(&once_calls, 1, __ATOMIC_SEQ_CST);
}

__attribute__((noinline)) static timer_t start(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                           .sigev_notify_function = tick,
                           .sigev_value.sival_ptr = new_item(7)};
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  event.sigev_value.sival_ptr = NULL;
  struct itimerspec each = {{0, 2000000}, {0, 2000000}};
  CHECK(timer_settime(timer, 0, &each, NULL) == 0);
  return timer;
}

static void count_calls(void) {
  timer_t timer = start(), once;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 18);
  CHECK(timer_create(CLOCK_REALTIME,
                     &(struct sigevent){.sigev_notify = SIGEV_THREAD,
                                        .sigev_notify_function = tick_once,
                                        .sigev_value.sival_int = 5,
                                        .sigev_notify_attributes = &attributes},
                     &once) == 0);
  pthread_attr_destroy(&attributes);
  CHECK(timer_settime(once, 0, &(struct itimerspec){.it_value.tv_nsec = 1}, NULL) == 0);
  for (int before = __atomic_load_n(&calls, __ATOMIC_SEQ_CST);
       __atomic_load_n(&calls, __ATOMIC_SEQ_CST) < before + 10;)
    churn();
  CHECK(timer_delete(timer) == 0 && timer_delete(once) == 0);
  CHECK(__atomic_load_n(&once_calls, __ATOMIC_SEQ_CST) == 1);
}

int main(void) {
  timer_t by_signal, none;
  CHECK(timer_create(CLOCK_MONOTONIC, NULL, &by_signal) == 0 && timer_delete(by_signal) == 0);
  CHECK(timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &none) == 0 &&
        timer_delete(none) == 0);
  count_calls();
  pid_t child = fork();
  if (child == 0) {
    once_calls = 0;
    count_calls();
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  puts("ok");
}
