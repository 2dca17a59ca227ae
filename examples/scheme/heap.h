/* SPDX-License-Identifier: MIT */
/* heap.h - the arena that all data are in, and the collector that moves what is alive to another.
 *
 * The arena is open while the machine runs.  A collection happens between two runs (machine.h):
 * nothing but the machine, the arena's root, holds values then.  It opens an arena beside the old
 * one, copies what the root reaches, and drops the key of the old one, which is gone with all that
 * is in it.
 */
#ifndef SCHEME_HEAP_H
#define SCHEME_HEAP_H

#include "value.h"

/* The state of the interpreter that outlives a collection, and so the arena of its objects. */
struct host {
  acre_key *unique key;
  size_t allocated; /* bytes since the last collection */
  size_t live;      /* bytes that the last one found */
  size_t step;      /* least bytes between two collections; 0: at each instruction that allocates */
  size_t threshold; /* of allocated: then a collection is due */
  size_t limit;     /* of live bytes */
  bool is_over_limit;              /* the program was told */
  size_t most_data, most_reserved; /* bytes, ever */
  int exit_status;
  bool is_exit; /* the program said so */
  size_t collections;
  size_t copied; /* bytes, by all of them */
};

/* Whether a collection is due. */
static inline bool heap_is_full(const struct host *host) {
#ifdef EVERYTHING_COLLECTED
  (void)host;
  return false;
#else
  return host->allocated >= host->threshold;
#endif
}

/* Makes the arena with a machine as its root.  False: memory is out. */
bool heap_start(struct host *host);
/* False: memory is out, and nothing has changed. */
bool heap_collect(struct host *host);
void heap_end(struct host *host);

#endif
