/* SPDX-License-Identifier: MIT */
/* results.h - the best pairs found so far.
 *
 * Results outlive the documents: everything in them is a copy, in the results' own region.
 */
#ifndef WINNOW_RESULTS_H
#define WINNOW_RESULTS_H

#include <stdio.h>

#include "corpus.h"

/* Characters that two documents share.  While documents are compared the excerpt points into the
   text of the first of them, so it is a plain pointer, and counted; in a result it is a copy. */
struct passage {
  uint32_t first, second; /* positions in the normal forms */
  uint32_t length;        /* of normal form */
  const char *excerpt;    /* the passage as written; not terminated */
  uint32_t excerpt_length;
};

struct match {
  struct match *sameregion next;
  const char *traditional first_path, *traditional second_path;
  uint32_t shared;       /* characters of normal form */
  uint32_t total;        /* in the shorter document */
  uint32_t passages;     /* in all */
  uint32_t quoted_count; /* of which are kept */
  struct passage *sameregion quoted;
  uint32_t *sameregion lines; /* two for each quoted passage */
};

struct results {
  struct match *sameregion best; /* most shared characters first */
  uint32_t match_count, capacity, quotes;
};

/* Room for capacity matches, with at most quotes passages each. */
struct results *results_new(uint32_t capacity, uint32_t quotes);
/* Keeps a copy of a match if it is among the best.  passages: the longest first. */
void results_offer(struct results *results, const struct document *first,
                   const struct document *second, uint32_t shared, const struct passage *passages,
                   uint32_t passage_count);
void results_print(const struct results *results, FILE *to);
void results_delete(struct results **results) deletes;

#endif
