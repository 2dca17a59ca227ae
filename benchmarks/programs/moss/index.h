/* SPDX-License-Identifier: MIT */
/* index.h - where each fingerprint occurs, over all documents: many small objects that live to the
 * end. */
#ifndef MOSS_INDEX_H
#define MOSS_INDEX_H

#include "document.h"
#include "fingerprint.h"

struct posting {
  struct posting *sameregion next;             /* in its bucket */
  struct posting *sameregion next_in_document; /* in the order of the text */
  struct document *parentptr document;
  uint32_t hash, line;
};

struct index {
  uint32_t bucket_count, posting_count; /* bucket_count is a power of two */
  struct posting *sameregion *sameregion buckets;
  uint32_t document_capacity;
  struct posting *sameregion *sameregion by_document; /* the first posting of each */
};

/* An empty index, in r, a subregion of the documents'. */
struct index *inregion(r) index_new(region r);
void index_release(struct index *index);
/* Documents are added in the order of their numbers. */
void index_add(struct index *index, struct document *inparent(index) document,
               const struct fingerprints *fingerprints);

const struct posting *index_of_document(const struct index *index, const struct document *document);
/* The postings of hash's bucket; those of other hashes are among them. */
const struct posting *index_bucket(const struct index *index, uint32_t hash);

#endif
