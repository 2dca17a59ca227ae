/* SPDX-License-Identifier: MIT */
/* tiling.h - TextTiling (Hearst, Computational Linguistics 23:1, 1997): where a text changes its
 * subject.
 *
 * Each gap between two sequences is scored by how similar the words of the blocks before and after
 * it are.  The scores are smoothed; a boundary lies in a valley that is deep in comparison with the
 * others, at the paragraph end nearest to it.
 */
#ifndef TILE_TILING_H
#define TILE_TILING_H

#include "document.h"

enum { BLOCK_SEQUENCES = 8 };

struct tiling {
  uint32_t gap_count; /* gap i is before sequence i + 1 */
  double *sameregion scores;
  double *sameregion depths;
  uint32_t boundary_count;
  uint32_t *sameregion boundaries; /* after how many paragraphs, ascending */
};

/* In r, a subregion of the document's. */
struct tiling *inregion(r) tiling_new(region r, const struct document *inparent(r) document);
void tiling_release(struct tiling *tiling);

#endif
