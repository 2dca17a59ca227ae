/* SPDX-License-Identifier: MIT */
/* fingerprint.h - winnowing (Schleimer, Wilkerson and Aiken 2003): of the hashes of all k-grams of
 * tokens, those that are least in some window.  Two texts that share enough tokens in a row share
 * one. */
#ifndef MOSS_FINGERPRINT_H
#define MOSS_FINGERPRINT_H

#include "scanner.h"

enum { GRAM_TOKENS = 24, WINDOW_GRAMS = 16 };

struct fingerprint {
  uint32_t hash;
  uint32_t line; /* where the k-gram begins */
};

/* The buffers of one document: large, and gone before the next one is read. */
struct fingerprints {
  uint32_t token_count, token_capacity;
  uint32_t *sameregion tokens, *sameregion lines;
  uint32_t *sameregion hashes; /* of the k-gram that begins at each token */
  uint32_t count;
  struct fingerprint *sameregion selected;
};

/* The fingerprints of text, in r. */
struct fingerprints *inregion(r) fingerprints_new(region r, struct scanner *scanner,
                                                  const struct text *text);
void fingerprints_release(struct fingerprints *fingerprints);

#endif
