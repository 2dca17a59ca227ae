// RUN: %each_level -o %t %s -- -facre-malloc=collected -facre-bounds
// With -facre-bounds what malloc gave is checked as regions' objects are, also after realloc, and
// in signal handlers that interrupt calls of the heap.
#include "Inputs/check.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static char *text;
static volatile int where;

__attribute__((noinline)) static char at(const char *p, long i) { return p[i]; }

static bool aborts(const char *p, long i) {
  pid_t child = fork();
  if (child == 0) {
    close(2);
    where = at(p, i);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void look(int number) {
  (void)number;
  where = at(text, 99);
  handled++;
}

int main(void) {
  char *p = calloc(1, 10);
  CHECK(!aborts(p, 0) && !aborts(p, 9) && aborts(p, 10) && aborts(p, -1));
  p = realloc(p, 1000);
  CHECK(!aborts(p, 999) && aborts(p, 1000));
  char *big = calloc(1, 100000);
  CHECK(!aborts(big, 99999) && aborts(big, 100000));
  free(p);
  free(big);

  text = calloc(1, 100);
  signal(SIGALRM, look);
  struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (handled < 50)
    free(malloc(500));
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}
