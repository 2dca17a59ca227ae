/* SPDX-License-Identifier: MIT */
/* launch.c - runs a program and writes what it used to a file: "user_us system_us peak_kb
 * minor_faults major_faults".
 *
 * usage: launch FILE [NAME=VALUE...] PROGRAM [ARGUMENT...]
 *
 * Linux begins a program's peak with that of the process that forked it, so a large interpreter
 * cannot measure a small program.  This one is small, and the environment is changed only in the
 * child: what is preloaded does not count here. Exit status: the program's; 128 + N if signal N
 * ended it; 127 if it cannot be run.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time) {
  return time.tv_sec * 1000000LL + time.tv_usec;
}

_Noreturn static void become(char **arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* who gives up waiting ends the launcher */
  for (; *arguments && strchr(*arguments, '='); arguments++)
    putenv(*arguments);
  if (*arguments)
    execv(arguments[0], arguments);
  perror("launch: cannot run the program");
  _exit(127);
}

static int write_usage(const char *path, const struct rusage *usage) {
  FILE *file = fopen(path, "w");
  if (!file)
    return -1;
  fprintf(file, "%lld %lld %ld %ld %ld\n", microseconds(usage->ru_utime),
          microseconds(usage->ru_stime), usage->ru_maxrss, usage->ru_minflt, usage->ru_majflt);
  return fclose(file);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: launch FILE [NAME=VALUE...] PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  pid_t child = fork();
  if (child == 0)
    become(argv + 2);
  struct rusage usage;
  int status;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || write_usage(argv[1], &usage) != 0) {
    perror("launch");
    return 127;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
