/* SPDX-License-Identifier: MIT */
/* signals.c - signals as events, by signalfd. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "footprint.h"

struct signals {
  int descriptor;
  const char *program;
};

static void signal_came(struct events *borrowed loop, void *unique environment, unsigned event) {
  struct signals *unique signals = environment;
  struct signalfd_siginfo signal = {0};
  bool is_end = event != EVENT_READABLE;
  while (!is_end && read(signals->descriptor, &signal, sizeof signal) == (ssize_t)sizeof signal) {
    if (signal.ssi_signo == SIGUSR1)
      footprint_print(signals->program);
    else if (signal.ssi_signo == SIGHUP)
      events_interrupt(loop);
    else
      is_end = true;
  }
  if (!is_end) {
    int descriptor = signals->descriptor;
    events_wait(loop, descriptor, EVENT_READABLE, 0, signal_came, signals);
    return;
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &ends, NULL);
  events_close(loop, signals->descriptor);
  free(signals);
  if (!(event & EVENT_STOP))
    events_stop(loop);
}

bool signals_wait(struct events *borrowed loop, const char *program, bool hangup_interrupts) {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGINT);
  sigaddset(&all, SIGTERM);
  sigaddset(&all, SIGUSR1);
  if (hangup_interrupts)
    sigaddset(&all, SIGHUP);
  struct signals *unique signals = malloc(sizeof *signals);
  int descriptor =
      sigprocmask(SIG_BLOCK, &all, NULL) == 0 ? signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC) : -1;
  if (!signals || descriptor < 0) {
    free(signals);
    if (descriptor >= 0)
      close(descriptor);
    return false;
  }
  *signals = (struct signals){descriptor, program};
  events_wait(loop, descriptor, EVENT_READABLE, 0, signal_came, signals);
  return true;
}
