/* SPDX-License-Identifier: MIT */
/* index.h - where each fingerprint occurs, over all documents.
 *
 * All of the index lies in one region.  Its postings point into the documents, so while it lives no
 * document can be deleted; when it goes, nothing has to be taken out of it first.
 */
#ifndef WINNOW_INDEX_H
#define WINNOW_INDEX_H

#include "corpus.h"

struct posting {
  struct posting *sameregion next;
  struct document *document;
  uint32_t hash;
  uint32_t position;
};

struct index {
  uint32_t bucket_mask;
  struct posting *sameregion *sameregion buckets;
};

/* An index of the fingerprints of all documents.  Later fingerprints of a document come first in a
 * bucket. */
struct index *index_new(const struct corpus *corpus);
void index_delete(struct index **index) deletes;

/* The postings of the bucket of hash; those of other hashes are among them. */
const struct posting *index_bucket(const struct index *index, uint32_t hash);
/* In how many documents hash occurs; stops counting at limit. */
uint32_t index_document_count(const struct index *index, uint32_t hash, uint32_t limit);

#endif
