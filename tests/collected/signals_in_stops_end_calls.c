// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -o %t.O2
// RUN: env ACRE_HEAP=growth=64K %t.O2
// RUN: env ACRE_HEAP=growth=64K,whole %t.O2
// A call that the kernel begins again after a stop (read, waitpid) must end with EINTR where a
// signal of the program came in the stop: its handler ran, and the call went on, in a third of the
// runs.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 60, MISSED_MOST = CALLS / 6 };

static volatile sig_atomic_t signals, is_over;
static void count(int signal) { signals += signal == SIGALRM; }

static void *allocate(void *unused) {
  void *kept[1000] = {0};
  for (unsigned seed = 1; !is_over; seed = seed * 1103515245 + 12345)
    kept[seed / 65536 % 1000] = malloc(seed / 256 % 3000);
  return kept[3] ? unused : NULL;
}

/* The first signal does not surely end a call: it may come right before it.  The others do. */
static int missed(int descriptor, pid_t child) {
  int count_missed = 0;
  for (int i = 0; i < CALLS; i++) {
    struct itimerval often = {{0, 10000}, {0, 3000 + i * 17}}, never = {{0, 0}, {0, 0}};
    char byte;
    signals = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    long result = child ? waitpid(child, NULL, 0) : read(descriptor, &byte, 1);
    int error = errno, seen = signals;
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(result == -1 && error == EINTR);
    count_missed += seen > 1;
  }
  return count_missed;
}

int main(void) {
  int ends[2];
  pthread_t thread;
  sigset_t all, before;
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody behind */
    for (;;)
      pause();
  }
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  CHECK(pthread_create(&thread, NULL, allocate, NULL) == 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  struct sigaction action = {.sa_handler = count};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  CHECK(missed(ends[0], 0) <= MISSED_MOST);
  CHECK(missed(-1, child) <= MISSED_MOST);
  is_over = 1;
  pthread_join(thread, NULL);
  kill(child, SIGKILL);
  return 0;
}
