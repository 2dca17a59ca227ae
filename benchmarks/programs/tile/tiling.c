/* SPDX-License-Identifier: MIT */
#include "tiling.h"

#include <math.h>
#include <string.h>

enum { SMOOTHING_ROUNDS = 2, BOUNDARY_DISTANCE = 3 };

/* The words of BLOCK_SEQUENCES sequences, or of those that are left at the end. */
struct block {
  struct entry *sameregion entries;
  double norm; /* the sum of the squares of the counts */
};

static struct block *block_new(region r, const struct sequence *inparent(r) first) {
  struct block *block = NEW(r, struct block);
  const struct sequence *sequence = first;
  for (int i = 0; i < BLOCK_SEQUENCES && sequence; i++, sequence = sequence->next)
    block->entries = entries_add_all(r, block->entries, sequence->entries);
  for (const struct entry *entry = block->entries; entry; entry = entry->next)
    block->norm += (double)entry->count * entry->count;
  return block;
}

static void block_release(struct block *block) {
  entries_release(block->entries);
  RELEASE(block);
}

/* The cosine of the angle between the vectors of counts. */
static double similarity(const struct block *left, const struct block *right) {
  double product = 0;
  const struct entry *a = left->entries, *b = right->entries;
  while (a && b) {
    if (a->word == b->word)
      product += (double)a->count * b->count;
    bool is_a_behind = a->word->number <= b->word->number,
         is_b_behind = b->word->number <= a->word->number;
    a = is_a_behind ? a->next : a;
    b = is_b_behind ? b->next : b;
  }
  double norm = sqrt(left->norm * right->norm);
  return norm > 0 ? product / norm : 0;
}

/* A block is that after one gap, and that before a later one.  At the ends of the text blocks are
 * shorter. */
static void score_gaps(region r, struct tiling *tiling,
                       const struct document *inparent(r) document) {
  uint32_t count = document->sequence_count;
  struct block *sameregion *blocks = NEW_ARRAY(r, count, struct block *sameregion);
  const struct sequence *sequence = document->first;
  for (uint32_t i = 0; i < count; i++, sequence = sequence->next)
    blocks[i] = block_new(r, sequence);
  for (uint32_t gap = 0; gap < tiling->gap_count; gap++) {
    uint32_t left = gap + 1 < BLOCK_SEQUENCES ? 0 : gap + 1 - BLOCK_SEQUENCES;
    tiling->scores[gap] = similarity(blocks[left], blocks[gap + 1]);
  }
  for (uint32_t i = 0; i < count && IS_RELEASE_NEEDED; i++)
    block_release(blocks[i]);
  RELEASE(blocks);
}

/* Each score becomes the mean of itself and its neighbours. */
static void smooth(region r, struct tiling *tiling) {
  uint32_t count = tiling->gap_count;
  double *old = NEW_NUMBERS(r, count, double);
  for (int round = 0; round < SMOOTHING_ROUNDS; round++) {
    memcpy(old, tiling->scores, count * sizeof *old);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t first = i > 0 ? i - 1 : i, last = i + 1 < count ? i + 1 : i;
      double sum = 0;
      for (uint32_t j = first; j <= last; j++)
        sum += old[j];
      tiling->scores[i] = sum / (last - first + 1);
    }
  }
  RELEASE(old);
}

/* How far the scores rise on both sides of a gap until they fall again; 0 for a gap that is no
 * valley. */
static double depth_at(const struct tiling *tiling, uint32_t gap) {
  const double *scores = tiling->scores;
  uint32_t left = gap, right = gap;
  while (left > 0 && scores[left - 1] >= scores[left])
    left--;
  while (right + 1 < tiling->gap_count && scores[right + 1] >= scores[right])
    right++;
  return left == gap || right == gap ? 0
                                     : scores[left] - scores[gap] + (scores[right] - scores[gap]);
}

/* Half a standard deviation below the mean of the valleys' depths. */
static double depth_cutoff(const struct tiling *tiling) {
  double sum = 0, squares = 0, count = 0;
  for (uint32_t i = 0; i < tiling->gap_count; i++) {
    sum += tiling->depths[i];
    squares += tiling->depths[i] * tiling->depths[i];
    count += tiling->depths[i] > 0;
  }
  if (count == 0)
    return 0;
  double mean = sum / count, variance = squares / count - mean * mean;
  return mean - sqrt(variance > 0 ? variance : 0) / 2;
}

/* The paragraph end that is nearest to so many words, as a number of paragraphs. */
static uint32_t nearest_paragraph(const struct document *document, uint32_t words) {
  uint32_t i = 0;
  while (i + 1 < document->paragraph_count && document->paragraph_ends[i] < words)
    i++;
  if (i > 0 && words - document->paragraph_ends[i - 1] < document->paragraph_ends[i] - words)
    i--;
  return i + 1;
}

static void choose_boundaries(struct tiling *tiling, const struct document *document) {
  double cutoff = depth_cutoff(tiling);
  for (uint32_t i = 0, last = 0; i < tiling->gap_count; i++) {
    if (tiling->depths[i] <= cutoff || (tiling->boundary_count > 0 && i - last < BOUNDARY_DISTANCE))
      continue;
    uint32_t paragraph = nearest_paragraph(document, (i + 1) * SEQUENCE_WORDS);
    bool is_new =
        tiling->boundary_count == 0 || tiling->boundaries[tiling->boundary_count - 1] < paragraph;
    if (is_new && paragraph < document->paragraph_count) {
      tiling->boundaries[tiling->boundary_count++] = paragraph;
      last = i;
    }
  }
}

struct tiling *inregion(r) tiling_new(region r, const struct document *inparent(r) document) {
  struct tiling *tiling = NEW(r, struct tiling);
  tiling->gap_count = document->sequence_count > 0 ? document->sequence_count - 1 : 0;
  tiling->scores = NEW_NUMBERS(r, tiling->gap_count, double);
  tiling->depths = NEW_NUMBERS(r, tiling->gap_count, double);
  tiling->boundaries = NEW_NUMBERS(r, tiling->gap_count, uint32_t);
  score_gaps(r, tiling, document);
  smooth(r, tiling);
  for (uint32_t i = 0; i < tiling->gap_count; i++)
    tiling->depths[i] = depth_at(tiling, i);
  choose_boundaries(tiling, document);
  return tiling;
}

void tiling_release(struct tiling *tiling) {
  if (!IS_RELEASE_NEEDED)
    return;
  RELEASE(tiling->scores);
  RELEASE(tiling->depths);
  RELEASE(tiling->boundaries);
  RELEASE(tiling);
}
