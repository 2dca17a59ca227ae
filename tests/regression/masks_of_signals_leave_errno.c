// sigprocmask of a program with collected memory changed errno where it succeeded, and let the C
// library's own signals be blocked: PostgreSQL, which asks errno of select after it has blocked all
// signals, ended.
// RUN: %each_level -o %t %s -- -facre-malloc=collected
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *volatile memory;

int main(void) {
  memory = malloc(10);
  sigset_t all, some, now;
  sigfillset(&all);
  memset(&some, 0xff, sizeof some);
  errno = EINTR;
  if (sigprocmask(SIG_SETMASK, &all, NULL) != 0 || errno != EINTR ||
      sigprocmask(SIG_SETMASK, &some, NULL) != 0 || errno != EINTR)
    return 1;
  unsigned long blocked = 0;
  if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &blocked, sizeof blocked) != 0)
    return 2;
  for (int signal = 32; signal < SIGRTMIN; signal++)
    if (blocked >> (signal - 1) & 1)
      return 3;
  return sigprocmask(-1, &all, &now) != -1 || errno != EINVAL ||
         sigprocmask(SIG_BLOCK, NULL, &now) != 0 || !sigismember(&now, SIGUSR1);
}
