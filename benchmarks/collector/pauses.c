/* SPDX-License-Identifier: MIT */
/* pauses.c - see pauses.h. */
#include "pauses.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct pause {
  uint64_t length, before; /* before: since the last one ended, or the run began */
  uint64_t begin;          /* when nothing else ran: set by place */
} pause;
static pause *pauses;
static size_t count, capacity;
static uint64_t last_end;
static uint64_t rest = UINT64_MAX; /* from the last one to the end of the run */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void pauses_start(void) {
  count = 0;
  last_end = now_nanoseconds();
}

void pauses_note(const acre_heap_event *event) {
  if (event->kind != ACRE_HEAP_EVENT_INCREMENT && event->kind != ACRE_HEAP_EVENT_FINISH)
    return;
  if (count == capacity) {
    size_t more = capacity ? 2 * capacity : 1 << 12;
    if ((pauses = realloc(pauses, more * sizeof *pauses)) == NULL)
      abort();
    memset(pauses + capacity, 0xff, (more - capacity) * sizeof *pauses);
    capacity = more;
  }
  pause *p = &pauses[count++];
  p->before = least(p->before, event->nanoseconds - last_end);
  p->length = least(p->length, event->duration);
  last_end = event->nanoseconds + event->duration;
}

/* Returns when the run ended. */
static uint64_t place(void) {
  uint64_t now = 0;
  for (size_t i = 0; i < count; i++) {
    pauses[i].begin = now + pauses[i].before;
    now = pauses[i].begin + pauses[i].length;
  }
  return now + rest;
}

/* The least share of any `window` nanoseconds that the program had.  A window with the most pause
 * ends where a pause does, so only those are looked at; a shorter run is one window. */
static double utilisation(uint64_t window, uint64_t run) {
  uint64_t sum = 0, most = 0;
  window = least(window, run);
  for (size_t first = 0, last = 0; last < count; last++) {
    uint64_t end = pauses[last].begin + pauses[last].length;
    sum += pauses[last].length;
    while (pauses[first].begin + pauses[first].length + window <= end)
      sum -= pauses[first++].length;
    uint64_t start = pauses[first].begin, outside = end - start > window ? end - start - window : 0;
    most = sum - outside > most ? sum - outside : most;
  }
  return most >= window ? 0 : 1 - (double)most / (double)window;
}

static int compare(const void *a, const void *b) {
  uint64_t x = ((const pause *)a)->length, y = ((const pause *)b)->length;
  return (x > y) - (x < y);
}

pause_summary pauses_end(void) {
  static const uint64_t windows[PAUSE_WINDOWS] = {1000000, 10000000, 50000000};
  pause_summary s = {.count = count, .utilisation = {1, 1, 1}};
  if (count == 0)
    return s;
  rest = least(rest, now_nanoseconds() - last_end);
  uint64_t run = place();
  for (size_t i = 0; i < PAUSE_WINDOWS; i++)
    s.utilisation[i] = utilisation(windows[i], run);
  for (size_t i = 0; i < count; i++)
    s.total += pauses[i].length;
  qsort(pauses, count, sizeof *pauses, compare);
  s.longest = pauses[count - 1].length;
  s.p999 = pauses[count - 1 - count / 1000].length;
  s.p99 = pauses[count - 1 - count / 100].length;
  return s;
}
