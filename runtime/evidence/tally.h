/* SPDX-License-Identifier: MIT */
/* tally.h - counts by key: a hash table that grows, for what a snapshot sums up.  Internal to the
 * runtime.
 *
 * Its memory is the system's, not malloc's, so it may grow while the world is stopped.  Without
 * memory it says so in is_short, and counts no new key from then on.
 */
#ifndef ACRE_RUNTIME_EVIDENCE_TALLY_H
#define ACRE_RUNTIME_EVIDENCE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACRE_TALLY_WORDS = 4 };

struct acre_tally {
  uint64_t key[ACRE_TALLY_WORDS];
  uint64_t count, bytes; /* count is 0: the place is free */
};

struct acre_tallies {
  struct acre_tally *places;
  size_t capacity; /* a power of two, or 0 */
  size_t used;
  size_t last; /* the place that was counted in last: most often the next one too */
  bool is_short;
};

/* Adds one, and bytes, to key.  Returns its place, which stays there until the next call; null if
   there is no memory. */
struct acre_tally *acre_tally_add(struct acre_tallies *tallies,
                                  const uint64_t key[ACRE_TALLY_WORDS], uint64_t bytes);
/* Gives the memory back. */
void acre_tally_end(struct acre_tallies *tallies);

#endif
