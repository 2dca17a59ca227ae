/* SPDX-License-Identifier: MIT */
#include "index.h"

enum { FIRST_BUCKETS = 1024, FIRST_DOCUMENTS = 64 };

struct index *inregion(r) index_new(region r) {
  struct index *index = NEW(r, struct index);
  index->bucket_count = FIRST_BUCKETS;
  index->buckets = NEW_ARRAY(r, index->bucket_count, struct posting *sameregion);
  index->document_capacity = FIRST_DOCUMENTS;
  index->by_document = NEW_ARRAY(r, index->document_capacity, struct posting *sameregion);
  return index;
}

void index_release(struct index *index) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (uint32_t i = 0; i < index->bucket_count; i++) {
    for (struct posting *p = index->buckets[i], *next; p; p = next) {
      next = p->next;
      RELEASE(p);
    }
  }
  RELEASE(index->buckets);
  RELEASE(index->by_document);
  RELEASE(index);
}

static void link_posting(struct index *index, struct posting *posting) {
  uint32_t bucket = posting->hash & (index->bucket_count - 1);
  posting->next = index->buckets[bucket];
  index->buckets[bucket] = posting;
}

/* Doubles the buckets.  The postings move over without being copied. */
static void double_buckets(struct index *index) {
  struct posting *sameregion *old = index->buckets;
  uint32_t old_count = index->bucket_count;
  index->bucket_count *= 2;
  index->buckets = NEW_ARRAY(REGION_OF(index), index->bucket_count, struct posting *sameregion);
  for (uint32_t i = 0; i < old_count; i++) {
    for (struct posting *p = old[i], *next; p; p = next) {
      next = p->next;
      link_posting(index, p);
    }
  }
  RELEASE(old);
}

static void make_room_for(struct index *index, uint32_t document) {
  uint32_t old = index->document_capacity;
  if (document < old)
    return;
  index->document_capacity *= 2;
  index->by_document = GROW(REGION_OF(index), index->by_document, index->document_capacity,
                            struct posting *sameregion);
}

void index_add(struct index *index, struct document *inparent(index) document,
               const struct fingerprints *fingerprints) {
  struct posting *last = NULL;
  make_room_for(index, document->number);
  index->by_document[document->number] = NULL;
  for (uint32_t i = 0; i < fingerprints->count; i++) {
    if (index->posting_count++ == index->bucket_count)
      double_buckets(index);
    struct posting *posting = NEW(REGION_OF(index), struct posting);
    posting->document = document;
    posting->hash = fingerprints->selected[i].hash;
    posting->line = fingerprints->selected[i].line;
    link_posting(index, posting);
    if (last)
      last->next_in_document = posting;
    else
      index->by_document[document->number] = posting;
    last = posting;
  }
}

const struct posting *index_of_document(const struct index *index,
                                        const struct document *document) {
  return index->by_document[document->number];
}

const struct posting *index_bucket(const struct index *index, uint32_t hash) {
  return index->buckets[hash & (index->bucket_count - 1)];
}
