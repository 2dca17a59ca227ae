/* SPDX-License-Identifier: MIT */
/* fingerprint.h - winnowing: which k-grams of a document stand for it.
 *
 * Schleimer, Wilkerson, Aiken: "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD
 * 2003. Of every `window` consecutive k-gram hashes the least is chosen, the rightmost of several.
 * So two documents that share window + k - 1 characters share a fingerprint, and nothing shorter
 * than k is ever found.
 */
#ifndef WINNOW_FINGERPRINT_H
#define WINNOW_FINGERPRINT_H

#include "corpus.h"

struct winnowing {
  uint32_t k;      /* characters of normal form in a k-gram, at least 1 */
  uint32_t window; /* k-grams, at least 1 */
};

/* Sets the document's fingerprints. */
void fingerprint_document(struct document *document, struct winnowing winnowing) deletes;

#endif
