/* SPDX-License-Identifier: MIT */
/* signals.h - SIGINT and SIGTERM end the program when what was begun is finished; SIGUSR1 says what
 * memory it has. */
#ifndef EVENTS_SIGNALS_H
#define EVENTS_SIGNALS_H

#include "events.h"

/* Waits for the signals in loop.  If hangup_interrupts, SIGHUP interrupts it.  A second SIGINT or
   SIGTERM ends the program at once.  False, with errno, if the system refuses. */
bool signals_wait(struct events *borrowed loop, const char *program, bool hangup_interrupts);

#endif
