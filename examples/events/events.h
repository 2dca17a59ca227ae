/* SPDX-License-Identifier: MIT */
/* events.h - one loop that waits for descriptors and calls back, in the manner of libasync and
 * libevent.
 *
 * A callback is a function and its environment.  While it waits the loop owns the environment, so
 * nobody else reaches it; then the function is called, exactly once, and the environment is its
 * own: it frees it, or waits again with it.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "discipline.h"

struct events;

enum {
  EVENT_READABLE = 1,
  EVENT_WRITABLE = 2,
  EVENT_TIMEOUT = 4,
  EVENT_STOP = 8, /* the program is to end: finish what was begun, begin nothing */
  EVENT_FAILED =
      16 /* memory is out, or the descriptor cannot be waited for: give up, and do not wait again */
};

/* Errors and hangups of a descriptor are reported as what was waited for; the system call that
 * follows says which. */
typedef void event_function(struct events *borrowed loop, void *unique environment, unsigned event);

/* Null, with errno, if the system refuses. */
struct events *unique events_new(void);
/* Nothing may be waiting any more: after events_run that is so. */
void events_free(struct events *unique loop);

/* Waits until descriptor is readable or writable (event: one of them, or 0 for neither), or so many
   milliseconds have gone; 0 is for ever.  Timeouts come up to a second late, together with what the
   descriptor is ready for by then. At most one callback waits for a descriptor. */
void events_wait(struct events *borrowed loop, int descriptor, unsigned event, int64_t milliseconds,
                 event_function *function, void *unique environment);
/* Closes a descriptor that was waited for, and which nobody waits for now. */
void events_close(struct events *borrowed loop, int descriptor);
/* Calls back whoever waits for descriptor, with EVENT_TIMEOUT. */
void events_wake(struct events *borrowed loop, int descriptor);
/* Calls back until nobody waits (false), or events_interrupt was called (true: there is more to
 * do). */
bool events_run(struct events *borrowed loop);
void events_interrupt(struct events *borrowed loop);
/* Calls every callback that waits now, with EVENT_STOP. */
void events_stop(struct events *borrowed loop);
bool events_is_stopping(const struct events *borrowed loop);

/* Milliseconds since some time in the past. */
int64_t events_clock(void);

#endif
