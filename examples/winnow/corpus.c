/* SPDX-License-Identifier: MIT */
#include "corpus.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_FILE ((off_t)64 << 20)

struct corpus *corpus_new(void) {
  region r = newregion();
  acre_region_set_name(r, "corpus");
  return ralloc(r, struct corpus);
}

/* The size of an open file that can be a document, or -1 after a message. */
static off_t text_file_size(FILE *file, const char *path) {
  struct stat status;
  if (fstat(fileno(file), &status) != 0) {
    fprintf(stderr, "winnow: %s: %s\n", path, strerror(errno));
    return -1;
  }
  if (!S_ISREG(status.st_mode)) {
    fprintf(stderr, "winnow: %s: not a regular file\n", path);
    return -1;
  }
  if (status.st_size > LARGEST_FILE) {
    fprintf(stderr, "winnow: %s: larger than %lld MiB\n", path, (long long)(LARGEST_FILE >> 20));
    return -1;
  }
  return status.st_size;
}

/* Fills in text and length. */
static bool read_text(struct document *document) {
  FILE *file = fopen(document->path, "rb");
  if (!file) {
    fprintf(stderr, "winnow: %s: %s\n", document->path, strerror(errno));
    return false;
  }
  off_t size = text_file_size(file, document->path);
  bool is_good = size >= 0;
  if (is_good) {
    document->text = rstralloc(regionof(document), (size_t)size + 1);
    document->length = (uint32_t)fread(document->text, 1, (size_t)size, file);
    document->text[document->length] = '\0';
    if (ferror(file)) {
      fprintf(stderr, "winnow: %s: read error\n", document->path);
      is_good = false;
    } else if (memchr(document->text, '\0', document->length)) {
      fprintf(stderr, "winnow: %s: not text\n", document->path);
      is_good = false;
    }
  }
  fclose(file);
  return is_good;
}

static void make_normal_form(struct document *document) {
  region r = regionof(document);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < document->length; i++)
    kept += isalnum((unsigned char)document->text[i]) != 0;
  document->normal = rstralloc(r, kept + 1);
  document->origins = rarrayalloc(r, kept + 1, uint32_t);
  for (uint32_t i = 0; i < document->length; i++) {
    unsigned char c = (unsigned char)document->text[i];
    if (!isalnum(c))
      continue;
    document->normal[document->normal_length] = (char)tolower(c);
    document->origins[document->normal_length++] = i;
  }
  document->origins[kept] = document->length;
}

static void append(struct corpus *corpus, struct document *document) {
  if (corpus->document_count == corpus->capacity) {
    corpus->capacity = corpus->capacity ? 2 * corpus->capacity : 64;
    corpus->documents =
        rarrayextend(regionof(corpus), corpus->documents, corpus->capacity, struct document *);
  }
  document->id = corpus->document_count;
  corpus->documents[corpus->document_count++] = document;
}

bool corpus_add(struct corpus *corpus, const char *path) deletes {
  region r = newsubregion(regionof(corpus));
  acre_region_set_name(r, path);
  struct document *document = ralloc(r, struct document);
  document->corpus = corpus;
  document->path = path;
  if (!read_text(document)) {
    deleteregion(r); /* document is not used after this, so it is no reference */
    return false;
  }
  make_normal_form(document);
  append(corpus, document);
  return true;
}

void corpus_delete(struct corpus **corpus) deletes {
  for (uint32_t i = 0; i < (*corpus)->document_count; i++) {
    region r = regionof((*corpus)->documents[i]);
    (*corpus)->documents[i] = NULL;
    deleteregion(r);
  }
  region r = regionof(*corpus);
  *corpus = NULL;
  deleteregion(r);
}

uint32_t document_line(const struct document *document, uint32_t position) {
  uint32_t line = 1;
  for (uint32_t i = 0; i < document->origins[position]; i++)
    line += document->text[i] == '\n';
  return line;
}
