/* SPDX-License-Identifier: MIT */
/* document.h - the documents under comparison.  They live in one region, the corpus; all that
 * points to them is in subregions of it. */
#ifndef MOSS_DOCUMENT_H
#define MOSS_DOCUMENT_H

#include <stdint.h>

#include "memory.h"

struct document {
  struct document *sameregion next;
  char *sameregion name;
  uint32_t number; /* from 0 */
  uint32_t token_count, fingerprint_count;
};

#endif
