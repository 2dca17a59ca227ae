/* SPDX-License-Identifier: MIT */
/* tile - divides texts into passages on one subject each.
 *
 * usage: tile [DOCUMENT-COUNT | FILE...]      (default: 600 documents that are made up)
 *
 * Prints after which paragraphs the subject of each text changes, and for texts that are made up
 * how many of the changes were found.  Exit status: 0; 1 if a file cannot be read; 2 for a wrong
 * count.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prose.h"
#include "tiling.h"

enum { DEFAULT_DOCUMENTS = 600 };

struct totals {
  uint64_t words, distinct_words, boundaries;
  uint64_t real, found; /* made-up texts: changes of subject, and how many of them are boundaries */
};

static void compare_with_truth(const struct tiling *tiling, const struct prose_truth *truth,
                               struct totals *totals) {
  totals->real += truth->count;
  for (uint32_t i = 0; i < truth->count; i++)
    for (uint32_t j = 0; j < tiling->boundary_count; j++)
      totals->found += tiling->boundaries[j] == truth->after_paragraph[i];
}

static void print_boundaries(const char *name, const struct tiling *tiling,
                             const struct document *document) {
  printf("%s: %" PRIu32 " paragraphs, boundaries after", name, document->paragraph_count);
  for (uint32_t i = 0; i < tiling->boundary_count; i++)
    printf(" %" PRIu32, tiling->boundaries[i]);
  printf("%s\n", tiling->boundary_count > 0 ? "" : " none");
}

/* Divides the file, or the document of that number if path is null.  The text goes when it is read,
   what the scores are computed from when they are. */
static bool tile_document(const char *path, uint32_t number, struct totals *totals) deletes {
  region text_region = newregion(), document_region = newregion(),
         work = newsubregion(document_region);
  struct text *text = text_new(text_region);
  struct prose_truth truth = {0};
  char made_up[16] = "";
  bool is_read = true;
  if (path) {
    is_read = text_append_file(text, path);
  } else {
    prose_write(text, number, &truth);
    snprintf(made_up, sizeof made_up, "#%" PRIu32, number);
  }
  if (!is_read)
    fprintf(stderr, "tile: %s: %s\n", path, strerror(errno));
  struct document *document = document_new(document_region, text);
  text_release(text);
  deleteregion(text_region);

  struct tiling *tiling = tiling_new(work, document);
  if (is_read)
    print_boundaries(path ? path : made_up, tiling, document);
  compare_with_truth(tiling, &truth, totals);
  totals->words += document->word_count;
  totals->distinct_words += document->vocabulary->word_count;
  totals->boundaries += tiling->boundary_count;
  tiling_release(tiling);
  deleteregion(work);
  document_release(document);
  deleteregion(document_region);
  return is_read;
}

static bool run(char **paths, uint32_t count) deletes {
  struct totals totals = {0};
  bool are_read = true;
  for (uint32_t i = 0; i < count; i++)
    are_read &= tile_document(paths ? paths[i] : NULL, i, &totals);
  printf("%" PRIu64 " words, %" PRIu64 " different ones in a text, %" PRIu64 " boundaries\n",
         totals.words, totals.distinct_words, totals.boundaries);
  if (!paths)
    printf("%" PRIu64 " of %" PRIu64 " changes of subject found\n", totals.found, totals.real);
  stop_words_release();
  return are_read;
}

int main(int argc, char **argv) deletes {
  memory_start();
  bool is_count = argc == 2 && argv[1][0] >= '0' && argv[1][0] <= '9';
  if (argc > 1 && !is_count)
    return !run(argv + 1, (uint32_t)argc - 1);
  uint32_t count = DEFAULT_DOCUMENTS;
  if (is_count) {
    char *end;
    unsigned long value = strtoul(argv[1], &end, 10);
    if (*end || value < 1 || value > 1000000) {
      fprintf(stderr, "tile: not a number of documents: %s\n", argv[1]);
      return 2;
    }
    count = (uint32_t)value;
  }
  return !run(NULL, count);
}
