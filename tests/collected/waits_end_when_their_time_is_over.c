// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -o %t.O2
// RUN: env ACRE_HEAP=growth=64K %t.O2
// RUN: env ACRE_HEAP=growth=64K,whole %t.O2
// RUN: %acre-cc -O0 -D_FORTIFY_SOURCE=0 -facre-malloc=collected -pthread %s -o %t.O0 && %t.O0
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A collection stops threads by a signal, after which the kernel never restarts some system
// calls: each of these returned early.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECONDS = 150 };
static const struct timespec time_to_wait = {0, MILLISECONDS * 1000000L};
static atomic_bool is_done;

static void *make_garbage(void *unused) {
  while (!atomic_load(&is_done))
    for (int i = 0; i < 1000; i++)
      new_item(1);
  return unused;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static struct timespec after(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += time_to_wait.tv_nsec;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

static double started;
static void begin(void) {
  started = now();
  errno = 0;
}
/* The monotonic clock and that of the call may differ by what it takes to read them. */
enum { CLOCKS_DIFFER = 1 };
/* The kernel counts the time of a socket in its ticks, from the begin of the one that runs. */
enum { TICK = 10 };

#define WAITS_ALMOST(call, result, tolerance)                 \
  do {                                                        \
    begin();                                                  \
    CHECK((call) == (result));                                \
    CHECK(now() - started >= MILLISECONDS - (tolerance));     \
  } while (0)
#define WAITS(call, result) WAITS_ALMOST(call, result, CLOCKS_DIFFER)
/* The time is over MILLISECONDS after the wait has begun. */
#define WAITS_UNTIL(clock, call, result) WAITS((until = after(clock), (call)), result)

static void sleep_in_each_way(void) {
  struct timespec rest = {7, 7}, until;
  WAITS(sleep(1), 0);
  WAITS(usleep(MILLISECONDS * 1000), 0);
  WAITS(nanosleep(&time_to_wait, &rest), 0);
  WAITS(thrd_sleep(&time_to_wait, NULL), 0);
  WAITS(clock_nanosleep(CLOCK_MONOTONIC, 0, &time_to_wait, &rest), 0);
  WAITS(clock_nanosleep(CLOCK_BOOTTIME, 0, &time_to_wait, &rest), 0);
  CHECK(rest.tv_sec == 7 && rest.tv_nsec == 7);
  WAITS_UNTIL(CLOCK_REALTIME, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL), 0);
  WAITS_UNTIL(CLOCK_MONOTONIC, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), 0);
  CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &time_to_wait, NULL) == EINVAL);
  /* The other threads use the processor meanwhile. */
  struct timespec processor = after(CLOCK_PROCESS_CPUTIME_ID), reached;
  CHECK(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &time_to_wait, NULL) == 0);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &reached);
  CHECK(reached.tv_sec > processor.tv_sec ||
        (reached.tv_sec == processor.tv_sec && reached.tv_nsec >= processor.tv_nsec));
  CHECK(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &(struct timespec){0, -1}, NULL) == EINVAL);
  CHECK(nanosleep(&(struct timespec){0, -1}, NULL) == -1 && errno == EINVAL);
}

static void wait_for_files(void) {
  sigset_t none;
  struct epoll_event event;
  struct timeval time = {0, MILLISECONDS * 1000};
  int epoll = epoll_create1(0);
  sigemptyset(&none);
  WAITS(poll(NULL, 0, MILLISECONDS), 0);
  WAITS(ppoll(NULL, 0, &time_to_wait, NULL), 0);
  WAITS(ppoll(NULL, 0, &time_to_wait, &none), 0);
  WAITS(select(0, NULL, NULL, NULL, &time), 0);
  CHECK(time.tv_sec == 0 && time.tv_usec == 0);
  WAITS(pselect(0, NULL, NULL, NULL, &time_to_wait, NULL), 0);
  WAITS(pselect(0, NULL, NULL, NULL, &time_to_wait, &none), 0);
  WAITS(epoll_wait(epoll, &event, 1, MILLISECONDS), 0);
  WAITS(epoll_pwait(epoll, &event, 1, MILLISECONDS, &none), 0);
  WAITS(epoll_pwait2(epoll, &event, 1, &time_to_wait, NULL), 0);
  CHECK(poll(NULL, 0, 0) == 0 && epoll_wait(epoll, &event, 1, 0) == 0);
  close(epoll);
}

static void wait_for_semaphores_and_signals(void) {
  sem_t semaphore;
  sigset_t set;
  struct timespec until;
  sem_init(&semaphore, 0, 0);
  WAITS_UNTIL(CLOCK_REALTIME, sem_timedwait(&semaphore, &until), -1);
  CHECK(errno == ETIMEDOUT);
  WAITS_UNTIL(CLOCK_MONOTONIC, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until), -1);
  CHECK(errno == ETIMEDOUT);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  WAITS(sigtimedwait(&set, NULL, &time_to_wait), -1);
  CHECK(errno == EAGAIN);
  int semaphores = semget(IPC_PRIVATE, 1, 0600);
  if (semaphores >= 0) { /* else the system has none */
    WAITS(semtimedop(semaphores, &(struct sembuf){0, -1, 0}, 1, &time_to_wait), -1);
    CHECK(errno == EAGAIN);
    semctl(semaphores, 0, IPC_RMID);
  }
}

static void wait_for_sockets(void) {
  int ends[2];
  char byte;
  struct timeval time = {0, MILLISECONDS * 1000};
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  WAITS_ALMOST(read(ends[0], &byte, 1), -1, TICK);
  CHECK(errno == EAGAIN);
  WAITS_ALMOST(recv(ends[0], &byte, 1, 0), -1, TICK);
  CHECK(errno == EAGAIN);
  close(ends[0]);
  close(ends[1]);
}

/* What a stop would cut in two. */
static void *read_slowly(void *end) {
  static char part[4096];
  size_t sum = 0;
  for (ssize_t size; (size = read(*(int *)end, part, sizeof part)) > 0; sum += (size_t)size)
    usleep(1000);
  return (void *)sum;
}

static void write_more_than_fits(void) {
  enum { BYTES = 1 << 19 };
  static char bytes[BYTES];
  int ends[2];
  pthread_t reader;
  void *sum;
  CHECK(pipe(ends) == 0);
  pthread_create(&reader, NULL, read_slowly, &ends[0]);
  CHECK(write(ends[1], bytes, BYTES) == BYTES);
  close(ends[1]);
  pthread_join(reader, &sum);
  CHECK((size_t)sum == BYTES);
  close(ends[0]);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make_garbage, NULL);
  sleep_in_each_way();
  wait_for_files();
  wait_for_semaphores_and_signals();
  wait_for_sockets();
  write_more_than_fits();
  atomic_store(&is_done, 1);
  pthread_join(thread, NULL);
  puts("ok");
}
