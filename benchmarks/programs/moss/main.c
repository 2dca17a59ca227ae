/* SPDX-License-Identifier: MIT */
/* moss - finds program texts that share passages, by fingerprints of their tokens.
 *
 * usage: moss [DOCUMENT-COUNT | FILE FILE...]      (default: 1600 documents that are made up)
 *
 * Prints the pairs that share most.  Exit status: 0; 1 if a file cannot be read; 2 for a wrong
 * count.
 *
 * Two lifetimes interleave: reading each document needs large buffers for a short time, and leaves
 * small postings that stay to the end.  Each kind has regions of its own.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "source.h"

enum { DEFAULT_DOCUMENTS = 1600, RESULT_LIMIT = 20 };

struct corpus {
  struct document *sameregion first, *sameregion last;
  uint32_t count;
};

static struct document *corpus_add(struct corpus *corpus, const char *name) {
  region r = REGION_OF(corpus);
  struct document *document = NEW(r, struct document);
  document->name = NEW_NUMBERS(r, strlen(name) + 1, char);
  strcpy(document->name, name);
  document->number = corpus->count++;
  if (corpus->last)
    corpus->last->next = document;
  else
    corpus->first = document;
  corpus->last = document;
  return document;
}

static void corpus_release(struct corpus *corpus) {
  for (struct document *d = corpus->first, *next; d && IS_RELEASE_NEEDED; d = next) {
    next = d->next;
    RELEASE(d->name);
    RELEASE(d);
  }
  RELEASE(corpus);
}

/* Reads the file, or makes up the document if path is null, and adds it to corpus and index. */
static bool read_document(struct corpus *corpus, struct index *index, struct scanner *scanner,
                          const char *path) deletes {
  region buffers = newregion();
  struct text *text = text_new(buffers);
  char made_up[16];
  bool is_read = true;
  if (path) {
    is_read = text_append_file(text, path);
  } else {
    source_write(text, corpus->count);
    snprintf(made_up, sizeof made_up, "#%" PRIu32, corpus->count);
  }
  if (is_read) {
    struct document *document = corpus_add(corpus, path ? path : made_up);
    struct fingerprints *fingerprints = fingerprints_new(buffers, scanner, text);
    document->token_count = fingerprints->token_count;
    document->fingerprint_count = fingerprints->count;
    index_add(index, document, fingerprints);
    fingerprints_release(fingerprints);
  } else {
    fprintf(stderr, "moss: %s: %s\n", path, strerror(errno));
  }
  text_release(text);
  deleteregion(buffers);
  return is_read;
}

static void compare(struct corpus *corpus, const struct index *index, region corpus_region)
    deletes {
  region results_region = newsubregion(corpus_region);
  struct results *results = results_new(results_region, RESULT_LIMIT);
  uint64_t token_count = 0;
  for (struct document *document = corpus->first; document; document = document->next) {
    region lookup_region = newsubregion(corpus_region);
    struct lookup *lookup = lookup_new(lookup_region, index, document, corpus->count);
    results_offer(results, lookup);
    lookup_release(lookup);
    deleteregion(lookup_region);
    token_count += document->token_count;
  }
  printf("%" PRIu32 " documents, %" PRIu64 " tokens, %" PRIu32 " fingerprints\n", corpus->count,
         token_count, index->posting_count);
  results_print(results);
  results_release(results);
  deleteregion(results_region);
}

static bool run(char **paths, uint32_t count) deletes {
  region corpus_region = newregion(), index_region = newsubregion(corpus_region),
         scanner_region = newregion();
  struct corpus *corpus = NEW(corpus_region, struct corpus);
  struct index *index = index_new(index_region);
  struct scanner *scanner = scanner_new(scanner_region);
  bool are_read = true;
  for (uint32_t i = 0; i < count; i++)
    are_read &= read_document(corpus, index, scanner, paths ? paths[i] : NULL);
  scanner_release(scanner);
  deleteregion(scanner_region);
  compare(corpus, index, corpus_region);
  index_release(index);
  deleteregion(index_region);
  corpus_release(corpus);
  deleteregion(corpus_region);
  return are_read;
}

int main(int argc, char **argv) deletes {
  memory_start();
  if (argc > 2)
    return !run(argv + 1, (uint32_t)argc - 1);
  uint32_t count = DEFAULT_DOCUMENTS;
  if (argc == 2) {
    char *end;
    unsigned long value = strtoul(argv[1], &end, 10);
    if (argv[1][0] < '0' || argv[1][0] > '9' || *end || value < 1 || value > 1000000) {
      fprintf(stderr, "moss: not a number of documents: %s\n", argv[1]);
      return 2;
    }
    count = (uint32_t)value;
  }
  return !run(NULL, count);
}
