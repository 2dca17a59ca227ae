/* SPDX-License-Identifier: MIT */
/* pauses.h - how long the collector keeps a program waiting, as the least of several runs that are
 * the same but for what else the machine does: for each pause, and for each stretch between two.
 *
 * A pause is an increment of the collector, or a whole collection where it is not incremental.
 */
#ifndef ACRE_BENCHMARKS_COLLECTOR_PAUSES_H
#define ACRE_BENCHMARKS_COLLECTOR_PAUSES_H

#include <stddef.h>
#include <stdint.h>

#include <acre/heap.h>

enum { PAUSE_WINDOWS = 3 }; /* of 1, 10 and 50 ms */

typedef struct pause_summary {
  size_t count;                       /* of the last run */
  uint64_t total, longest, p999, p99; /* nanoseconds */
  double utilisation[PAUSE_WINDOWS];  /* the least share that any window left the program */
} pause_summary;

/* A run begins. */
void pauses_start(void);
/* For each event of its heap. */
void pauses_note(const acre_heap_event *event);
/* Once, after the last run, which has just ended. */
pause_summary pauses_end(void);

#endif
