/* SPDX-License-Identifier: MIT */
/* prose.h - texts to divide, made up from a seed.
 *
 * A text is a row of segments, each of some paragraphs on one subject.  Document number n is always
 * the same.
 */
#ifndef TILE_PROSE_H
#define TILE_PROSE_H

#include <stdint.h>

#include "text.h"

enum { PROSE_SEGMENTS_MAX = 24 };

/* Where a made-up text really changes its subject: after how many paragraphs. */
struct prose_truth {
  uint32_t count;
  uint32_t after_paragraph[PROSE_SEGMENTS_MAX];
};

void prose_write(struct text *text, uint32_t document, struct prose_truth *truth);

#endif
