/* SPDX-License-Identifier: MIT */
/* match.h - which other documents have the fingerprints of one, and where they lie close together.
 */
#ifndef MOSS_MATCH_H
#define MOSS_MATCH_H

#include "index.h"

/* Lines of two documents. */
struct span {
  uint32_t first_start, first_end, second_start, second_end;
};

/* Where fingerprints agree in the same order. */
struct stretch {
  struct stretch *sameregion next;
  struct span span;
  uint32_t fingerprint_count;
};

struct match {
  struct match *sameregion next;
  struct document *parentptr other;
  struct stretch *sameregion stretches; /* the newest first */
  uint32_t fingerprint_count;
};

/* All matches of one document with those after it. */
struct lookup {
  struct document *parentptr document;
  uint32_t document_count;
  struct match *sameregion *sameregion by_document; /* null where there is none */
  struct match *sameregion matches;
};

/* In r, a subregion of the documents'. */
struct lookup *inregion(r) lookup_new(region r, const struct index *index,
                                      struct document *inparent(r) document,
                                      uint32_t document_count);
void lookup_release(struct lookup *lookup);

#endif
