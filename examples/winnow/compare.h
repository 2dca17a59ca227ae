/* SPDX-License-Identifier: MIT */
/* compare.h - what two documents share.
 *
 * Looking up one document takes a temporary region, and each pair found a subregion of that.  Both
 * are gone before the next document is looked up: what is to stay has to be copied (results.h).
 */
#ifndef WINNOW_COMPARE_H
#define WINNOW_COMPARE_H

#include "index.h"
#include "results.h"

struct compare_options {
  uint32_t k;              /* as in struct winnowing */
  uint32_t common;         /* a fingerprint in more documents than this is boilerplate */
  uint32_t shortest_match; /* characters of normal form */
};

/* Compares document with all documents of greater id, and offers each pair that shares something to
 * results. */
void compare_document(struct document *document, const struct index *index,
                      struct compare_options options, struct results *results) deletes;

#endif
