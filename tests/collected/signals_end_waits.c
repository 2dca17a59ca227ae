// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -o %t.O2
// RUN: env ACRE_HEAP=growth=64K %t.O2
// RUN: env ACRE_HEAP=growth=64K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// Calls that begin again after a collection must still end with EINTR when a handler of the
// program has run, also with SA_RESTART, and when their thread is cancelled; and the mask of the
// thread is afterwards what it was.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20 };
static const struct timespec hour = {3600, 0};
static atomic_bool is_done, is_waiting;
static atomic_int handled;
static pthread_t waiter;

static void *make_garbage(void *unused) {
  while (!atomic_load(&is_done))
    for (int i = 0; i < 1000; i++)
      new_item(1);
  return unused;
}

static void note(int signal) {
  (void)signal;
  atomic_fetch_add(&handled, 1);
}

/* Until the call has returned, for the first signal may come before it has begun. */
static void *send_signals(void *unused) {
  while (atomic_load(&is_waiting)) {
    usleep(3000);
    pthread_kill(waiter, SIGUSR1);
  }
  return unused;
}

static int wait_in_way(int way) {
  static struct epoll_event event;
  sigset_t none;
  struct timespec left = hour, until = {INT32_MAX, 0};
  struct timeval time = {3600, 0};
  sigemptyset(&none);
  switch (way) {
  case 0:
    return sleep(3600) > 3000 ? -1 : 0;
  case 1:
    return nanosleep(&hour, &left);
  case 2:
    return -(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == EINTR);
  case 3:
    return poll(NULL, 0, -1);
  case 4:
    return ppoll(NULL, 0, &hour, &none);
  case 5:
    return select(0, NULL, NULL, NULL, &time);
  case 6:
    return pselect(0, NULL, NULL, NULL, NULL, &none);
  case 7:
    return pause();
  case 8:
    return sigsuspend(&none);
  default: {
    int epoll = epoll_create1(0), result = epoll_wait(epoll, &event, 1, 3600000), error = errno;
    close(epoll);
    errno = error;
    return result;
  }
  }
}
enum { WAYS = 10 };

static void expect_interrupted(int way) {
  pthread_t sender;
  sigset_t before = {0}, after = {0}; /* the kernel fills a part */
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  atomic_store(&is_waiting, 1);
  int count = atomic_load(&handled);
  pthread_create(&sender, NULL, send_signals, NULL);
  errno = EINTR;
  CHECK(wait_in_way(way) == -1 && errno == EINTR);
  CHECK(atomic_load(&handled) > count);
  atomic_store(&is_waiting, 0);
  pthread_join(sender, NULL);
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  CHECK(memcmp(&before, &after, sizeof before) == 0);
}

static void note_end(void *flag) { atomic_store((atomic_bool *)flag, 1); }

static void *wait_to_be_cancelled(void *way) {
  static atomic_bool has_ended;
  atomic_store(&has_ended, 0);
  pthread_cleanup_push(note_end, &has_ended);
  while (1)
    wait_in_way(*(int *)way);
  pthread_cleanup_pop(1);
  return &has_ended;
}

static void expect_cancelled(int way) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, wait_to_be_cancelled, &way);
  usleep(10000);
  pthread_cancel(thread);
  CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = note};
  waiter = pthread_self();
  pthread_create(&thread, NULL, make_garbage, NULL);
  for (int round = 0; round < ROUNDS; round++) {
    action.sa_flags = round % 2 ? SA_RESTART : 0;
    sigaction(SIGUSR1, &action, NULL);
    for (int way = 0; way < WAYS; way++)
      expect_interrupted(way);
  }
  for (int way = 0; way < WAYS; way++)
    expect_cancelled(way);
  atomic_store(&is_done, 1);
  pthread_join(thread, NULL);
  puts("ok");
}
