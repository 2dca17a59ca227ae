// RUN: %acre-cc -O1 -facre-malloc=collected -pthread %s -lrt -o %t
// RUN: env ACRE_HEAP=poison,growth=256K,pause=0 %t
// RUN: env ACRE_HEAP=poison,growth=256K,whole %t
// RUN: not --crash %t unpin 2>&1 | %whole %s
// CHECK: acre: fatal: acre_collected_unpin: 0x{{[0-9a-f]+}} is not pinned;
// CHECK-SAME: unpin what was passed to acre_collected_pin, as often
// Objects that nothing refers to but the value of a signal that is to come, memory that is
// shared with other processes, or a queue of io_uring were reclaimed; and there was no way to
// keep an object whose pointer nobody sees.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <fcntl.h>
#include <linux/io_uring.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static item *wait_for_value(int signal) {
  sigset_t set;
  siginfo_t information;
  sigemptyset(&set);
  sigaddset(&set, signal);
  CHECK(sigwaitinfo(&set, &information) == signal);
  return information.si_value.sival_ptr;
}

__attribute__((noinline)) static void queue_signals(void) {
  for (unsigned long i = 0; i < 10; i++)
    CHECK(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_ptr = new_item(i)}) == 0 || i);
  for (unsigned long i = 0; i < 10; i++)
    CHECK(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_ptr = new_item(i)}) == 0);
  CHECK(pthread_sigqueue(pthread_self(), SIGRTMIN + 2, (union sigval){.sival_ptr = new_item(20)}) ==
        0);
}

__attribute__((noinline)) static timer_t set_timer(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGRTMIN + 3,
                           .sigev_value.sival_ptr = new_item(30)};
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  return timer;
}

static void take_signals(void) {
  CHECK(is_whole(wait_for_value(SIGUSR1), 0));
  for (unsigned long i = 0; i < 10; i++)
    CHECK(is_whole(wait_for_value(SIGRTMIN + 1), i));
  CHECK(is_whole(wait_for_value(SIGRTMIN + 2), 20));
}

__attribute__((noinline)) static mqd_t notify(void) {
  char name[64];
  snprintf(name, sizeof name, "/acre-only-the-kernel-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_RDWR | O_EXCL, 0600,
                        &(struct mq_attr){.mq_maxmsg = 1, .mq_msgsize = 8});
  if (queue == (mqd_t)-1) /* the system has none */
    return queue;
  mq_unlink(name);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGRTMIN + 4,
                           .sigev_value.sival_ptr = new_item(40)};
  CHECK(mq_notify(queue, &event) == 0);
  return queue;
}

static item **share(int file) {
  CHECK(file >= 0 && ftruncate(file, 8192) == 0);
  item **shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(shared != MAP_FAILED);
  close(file);
  shared[700] = new_item(50);
  return shared;
}

static int shared_memory(void) {
  char name[64];
  snprintf(name, sizeof name, "/acre-only-the-kernel-%d", (int)getpid());
  int file = shm_open(name, O_CREAT | O_RDWR | O_EXCL, 0600);
  shm_unlink(name);
  return file;
}

/* A request in the queue; null where the system has no io_uring. */
static struct io_uring_sqe *request(void) {
  struct io_uring_params parameters = {0};
  int ring = (int)syscall(SYS_io_uring_setup, 4, &parameters);
  if (ring < 0)
    return NULL;
  struct io_uring_sqe *requests =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  CHECK(requests != MAP_FAILED);
  requests[1].user_data = (uintptr_t)new_item(60);
  return requests;
}

enum { DISGUISE = 0x5555 };
__attribute__((noinline)) static uintptr_t pin(unsigned long number) {
  item *pinned = new_item(number);
  acre_collected_pin(pinned);
  acre_collected_pin(pinned);
  acre_collected_unpin(pinned);
  return ~(uintptr_t)pinned ^ DISGUISE;
}
enum { PINNED = 50 };
static item *uncover(uintptr_t word) { return (item *)(~word ^ DISGUISE); }

/* Addresses may be pinned and unpinned for ever. */
static void pin_many(void) {
  for (unsigned long i = 0; i < 300000; i++) {
    item *one = i % 1000 ? new_item(i) : malloc(50000);
    acre_collected_pin(one);
    acre_collected_unpin(one);
  }
}

int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1)
    acre_collected_unpin(new_item(0));
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  for (int i = 1; i <= 4; i++)
    sigaddset(&set, SIGRTMIN + i);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  queue_signals();
  timer_t timer = set_timer();
  mqd_t queue = notify();
  item **of_file =
      share((int)syscall(SYS_memfd_create, "a name of some length for a file that is memory", 0));
  item **of_name = share(shared_memory());
  struct io_uring_sqe *requests = request();
  uintptr_t hidden[PINNED];
  for (unsigned long i = 0; i < PINNED; i++)
    hidden[i] = pin(i);
  acre_collected_pin(&count); /* not in the heap */
  acre_collected_unpin(&count);
  churn();
  pin_many();
  churn();
  take_signals();
  CHECK(timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 1}, NULL) == 0);
  CHECK(is_whole(wait_for_value(SIGRTMIN + 3), 30));
  if (queue != (mqd_t)-1) {
    CHECK(mq_send(queue, "x", 1, 0) == 0);
    CHECK(is_whole(wait_for_value(SIGRTMIN + 4), 40));
  }
  CHECK(is_whole(of_file[700], 50) && is_whole(of_name[700], 50));
  CHECK(!requests || is_whole((item *)(uintptr_t)requests[1].user_data, 60));
  size_t before = live_objects();
  for (unsigned long i = 0; i < PINNED; i++) {
    CHECK(is_whole(uncover(hidden[i]), i));
    acre_collected_unpin(uncover(hidden[i]));
  }
  CHECK(live_objects() + PINNED / 2 < before); /* a stale word may keep some */
  puts(requests ? "ok" : "ok, without io_uring");
}
