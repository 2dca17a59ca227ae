/* SPDX-License-Identifier: MIT */
/* events.c - the loop, over epoll.
 *
 * Invariant: watches[d].callback is what waits for descriptor d, and watches[d].interest is what
 * epoll has been told of d, which may be more than anybody waits for: after the next event it is
 * told anew.  A callback is taken out before its function is called.
 */
#include "events.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 1000, BATCH = 64 };

struct callback {
  event_function *function;
  void *unique environment;
  int64_t deadline; /* on events_clock; 0: none */
};

struct watch {
  struct callback *unique callback;
  uint32_t interest; /* 0: epoll does not know the descriptor */
};

struct events {
  int epoll;
  bool is_stopping, is_interrupted;
  int64_t next_tick;
  size_t waiting, timed; /* callbacks; those with a deadline */
  size_t capacity;
  struct watch *unique watches;
};

int64_t events_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool events_is_stopping(const struct events *borrowed loop) { return loop->is_stopping; }

struct events *unique events_new(void) {
  struct events *unique loop = calloc(1, sizeof *loop);
  if (!loop)
    return NULL;
  loop->epoll = epoll_create1(EPOLL_CLOEXEC);
  if (loop->epoll < 0) {
    free(loop);
    return NULL;
  }
  return loop;
}

void events_free(struct events *unique loop) {
  close(loop->epoll);
  for (size_t i = 0; i < loop->capacity; i++)
    assert(!loop->watches[i].callback);
  free(acre_take(&loop->watches));
  free(loop);
}

static bool make_room(struct events *loop, size_t descriptor) {
  if (descriptor < loop->capacity)
    return true;
  size_t capacity = loop->capacity ? loop->capacity : 8;
  while (capacity <= descriptor)
    capacity *= 2;
  struct watch *unique old = acre_take(&loop->watches);
  struct watch *unique watches = realloc(old, capacity * sizeof *watches);
  if (!watches) {
    free(acre_swap(&loop->watches, old));
    return false;
  }
  for (size_t i = loop->capacity; i < capacity; i++)
    watches[i] = (struct watch){NULL, 0};
  loop->capacity = capacity;
  free(acre_swap(&loop->watches, watches));
  return true;
}

/* Tells epoll what is waited for, if it does not know. */
static bool tell(const struct events *borrowed loop, int descriptor, unsigned event) {
  struct watch *watch = &loop->watches[descriptor];
  uint32_t interest = event == EVENT_READABLE ? EPOLLIN : event == EVENT_WRITABLE ? EPOLLOUT : 0;
  if (interest == watch->interest)
    return true;
  int operation = !interest ? EPOLL_CTL_DEL : watch->interest ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  struct epoll_event told = {.events = interest, .data.fd = descriptor};
  if (epoll_ctl(loop->epoll, operation, descriptor, &told) != 0)
    return false;
  watch->interest = interest;
  return true;
}

void events_wait(struct events *borrowed loop, int descriptor, unsigned event, int64_t milliseconds,
                 event_function *function, void *unique environment) {
  struct callback *unique callback = malloc(sizeof *callback);
  if (!callback || !make_room(loop, (size_t)descriptor) || !tell(loop, descriptor, event)) {
    free(callback);
    function(loop, environment, EVENT_FAILED);
    return;
  }
  assert(!loop->watches[descriptor].callback);
  callback->function = function;
  callback->environment = environment;
  callback->deadline = milliseconds ? events_clock() + milliseconds : 0;
  loop->waiting++;
  loop->timed += milliseconds != 0;
  free(acre_swap(&loop->watches[descriptor].callback, callback));
}

void events_close(struct events *borrowed loop, int descriptor) {
  if ((size_t)descriptor < loop->capacity)
    loop->watches[descriptor].interest = 0; /* epoll forgets what is closed */
  close(descriptor);
}

static void fire(struct events *loop, size_t descriptor, unsigned event) {
  struct callback *unique callback = acre_take(&loop->watches[descriptor].callback);
  if (!callback) {
    tell(loop, (int)descriptor, 0);
    return;
  }
  event_function *function = callback->function;
  void *unique environment = acre_take(&callback->environment);
  loop->waiting--;
  loop->timed -= callback->deadline != 0;
  free(callback);
  function(loop, environment, event);
}

void events_wake(struct events *borrowed loop, int descriptor) {
  if ((size_t)descriptor < loop->capacity && loop->watches[descriptor].callback)
    fire(loop, (size_t)descriptor, EVENT_TIMEOUT);
}

/* The events that descriptor is ready for now.  Asked again before a callback runs, because those
 * that ran before it may have taken long. */
static unsigned readiness(int descriptor, uint32_t interest) {
  struct pollfd asked = {.fd = descriptor, .events = (short)interest};
  if (!interest || poll(&asked, 1, 0) <= 0)
    return 0;
  return interest == EPOLLOUT ? EVENT_WRITABLE : EVENT_READABLE;
}

static void fire_overdue(struct events *loop, int64_t now) {
  loop->next_tick = now + TICK;
  for (size_t i = 0; i < loop->capacity; i++) {
    const struct callback *callback = loop->watches[i].callback;
    if (callback && callback->deadline && callback->deadline <= now)
      fire(loop, i, EVENT_TIMEOUT | readiness((int)i, loop->watches[i].interest));
  }
}

void events_interrupt(struct events *borrowed loop) { loop->is_interrupted = true; }

bool events_run(struct events *borrowed loop) {
  loop->is_interrupted = false;
  while (loop->waiting && !loop->is_interrupted) {
    struct epoll_event ready[BATCH];
    int count = epoll_wait(loop->epoll, ready, BATCH, loop->timed ? TICK : -1);
    for (int i = 0; i < count; i++)
      fire(loop, (size_t)ready[i].data.fd,
           ready[i].events & EPOLLOUT ? EVENT_WRITABLE : EVENT_READABLE);
    int64_t now = events_clock();
    if (now >= loop->next_tick)
      fire_overdue(loop, now);
  }
  return loop->is_interrupted;
}

void events_stop(struct events *borrowed loop) {
  loop->is_stopping = true;
  for (size_t i = 0; i < loop->capacity; i++)
    if (loop->watches[i].callback)
      fire(loop, i, EVENT_STOP);
}
