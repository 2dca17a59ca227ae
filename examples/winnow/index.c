/* SPDX-License-Identifier: MIT */
#include "index.h"

#include <stddef.h>

static uint32_t bucket_count_for(const struct corpus *corpus) {
  uint32_t fingerprints = 0, count = 64;
  for (uint32_t i = 0; i < corpus->document_count; i++)
    fingerprints += corpus->documents[i]->fingerprint_count;
  while (count < fingerprints)
    count *= 2;
  return count;
}

static void add_document(struct index *index, struct document *document) {
  for (uint32_t i = 0; i < document->fingerprint_count; i++) {
    struct posting *sameregion *bucket =
        &index->buckets[document->fingerprints[i].hash & index->bucket_mask];
    struct posting *posting = ralloc(regionof(index), struct posting);
    posting->document = document;
    posting->hash = document->fingerprints[i].hash;
    posting->position = document->fingerprints[i].position;
    posting->next = *bucket;
    *bucket = posting;
  }
}

struct index *index_new(const struct corpus *corpus) {
  region r = newregion();
  acre_region_set_name(r, "index");
  struct index *index = ralloc(r, struct index);
  uint32_t bucket_count = bucket_count_for(corpus);
  index->bucket_mask = bucket_count - 1;
  index->buckets = rarrayalloc(r, bucket_count, struct posting *sameregion);
  for (uint32_t i = 0; i < corpus->document_count; i++)
    add_document(index, corpus->documents[i]);
  return index;
}

void index_delete(struct index **index) deletes {
  region r = regionof(*index);
  *index = NULL;
  deleteregion(r);
}

const struct posting *index_bucket(const struct index *index, uint32_t hash) {
  return index->buckets[hash & index->bucket_mask];
}

uint32_t index_document_count(const struct index *index, uint32_t hash, uint32_t limit) {
  uint32_t count = 0;
  const struct document *last = NULL;
  for (const struct posting *p = index_bucket(index, hash); p && count < limit; p = p->next) {
    if (p->hash != hash || p->document == last)
      continue;
    last = p->document; /* the postings of one document stand together */
    count++;
  }
  return count;
}
