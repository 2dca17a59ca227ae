/* SPDX-License-Identifier: MIT */
/* corpus.h - the documents that are compared.
 *
 * The corpus has a region of its own; each document has a subregion of it, so that its text, its
 * normal form and its fingerprints go together, in one step, and never before whoever still points
 * at them lets go.
 */
#ifndef WINNOW_CORPUS_H
#define WINNOW_CORPUS_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/acre.h>

struct corpus;

/* The hash of one k-gram that winnowing chose, and where the k-gram starts in the normal form. */
struct fingerprint {
  uint32_t hash;
  uint32_t position;
};

struct document {
  struct corpus *parentptr corpus;
  const char *traditional path; /* from the command line */
  uint32_t id;
  uint32_t length; /* bytes of text */
  char *sameregion text;
  uint32_t normal_length;
  char
      *sameregion normal; /* text without what does not matter: letters and digits, in lower case */
  uint32_t *sameregion origins; /* normal[i] is text[origins[i]] */
  uint32_t fingerprint_count;
  struct fingerprint *sameregion fingerprints; /* by position */
};

struct corpus {
  uint32_t document_count;
  uint32_t capacity;
  struct document *
      *sameregion documents; /* each points into the document's own subregion, and counts there */
};

struct corpus *corpus_new(void);
/* Reads the file at path into a new document.  Returns whether there is one; if not, says why on
 * stderr. */
bool corpus_add(struct corpus *corpus, const char *path) deletes;
/* Deletes the documents and the corpus, and sets *corpus to null. */
void corpus_delete(struct corpus **corpus) deletes;

/* The line, from 1, that position of the normal form is on. */
uint32_t document_line(const struct document *document, uint32_t position);

#endif
