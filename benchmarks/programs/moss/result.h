/* SPDX-License-Identifier: MIT */
/* result.h - the pairs of documents that agree most. */
#ifndef MOSS_RESULT_H
#define MOSS_RESULT_H

#include "match.h"

struct result {
  struct result *sameregion next; /* the one that agrees less */
  struct document *parentptr first, *parentptr second;
  uint32_t fingerprint_count;
  struct span longest; /* stretch */
};

struct results {
  uint32_t count, limit;
  struct result *sameregion best;
  uint64_t pair_count, stretch_count, agreement_count; /* of all that were offered */
};

/* In r, a subregion of the documents'. */
struct results *inregion(r) results_new(region r, uint32_t limit);
void results_release(struct results *results);
/* Copies what is among the best. */
void results_offer(struct results *results, const struct lookup *lookup);
void results_print(const struct results *results);

#endif
