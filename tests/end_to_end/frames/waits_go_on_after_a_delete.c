// Deletes that search frames stop other threads by a signal, after which the kernel ends some
// system calls early. In a program that is linked with the option these wait on.
// QEMU blocks no signal for a program that blocks it.
// UNSUPPORTED: foreign
// RUN: %acre-cc -O2 -facre-frames=conservative -pthread %s -o %t && %t
// RUN: %acre-cc -O2 -fPIC -shared -facre-frames=conservative -DLIBRARY %s -o %t.so
// RUN: %acre-cc -O2 -facre-frames=conservative -pthread %s %t.so -o %t.user && %t.user
// RUN: %acre-cc -O2 -facre-frames=conservative -facre-malloc=collected -pthread %s -o %t.c && %t.c
// RUN: not --crash %t blocked 2>&1 | %whole %s
// CHECK: acre: fatal: thread {{[0-9]+}} blocks signal {{[0-9]+}}, by which Acre stops threads;
// CHECK-SAME: leave it out of the masks of signals that threads block
#define _GNU_SOURCE
#include "../Inputs/check.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(LIBRARY)
int delete_in_library(region r);
int delete_in_library(region r) { return deleteregion(r); }
#else
enum { MILLISECONDS = 200 };
static atomic_bool is_done, is_blocked;

static void *wait_often(void *unused) {
  const struct timespec time = {0, MILLISECONDS * 1000000L};
  struct epoll_event event;
  int ends[2], epoll = epoll_create1(0);
  CHECK(pipe(ends) == 0 && epoll >= 0);
  struct pollfd file = {ends[0], POLLIN, 0};
  errno = 0;
  CHECK(poll(&file, 1, MILLISECONDS) == 0 && errno == 0);
  CHECK(epoll_wait(epoll, &event, 1, MILLISECONDS) == 0 && errno == 0);
  CHECK(nanosleep(&time, NULL) == 0);
  CHECK(usleep(MILLISECONDS * 1000) == 0);
  CHECK(sleep(1) == 0);
  atomic_store(&is_done, 1);
  return unused;
}

static void *block(void *unused) {
  uint64_t all = ~UINT64_C(0);
  CHECK(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all) == 0);
  atomic_store(&is_blocked, 1);
  for (;;)
    usleep(1000);
  return unused;
}

static NOINLINE void delete_one(void) {
  region r = newregion();
  new_node(r);
  CHECK(deleteregion(r));
}

int main(int count, char **unused) {
  (void)unused;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, count > 1 ? block : wait_often, NULL) == 0);
  while (count > 1 && !atomic_load(&is_blocked))
    ;
  while (!atomic_load(&is_done)) {
    delete_one();
    usleep(100);
  }
  CHECK(pthread_join(thread, NULL) == 0);
  return 0;
}
#endif
