/* SPDX-License-Identifier: MIT */
/* reader.h - text to data. */
#ifndef SCHEME_READER_H
#define SCHEME_READER_H

#include "value.h"

struct source {
  char *unique text;
  size_t length, place;
  unsigned line;      /* of place, from 1 */
  bool is_incomplete; /* the text ended inside of a datum */
};

/* Null, with errno, if the file cannot be read.  "-" is the standard input. */
struct source *unique source_of_file(const char *borrowed path);
struct buffer;
struct source *unique source_of_buffer(const struct buffer *borrowed buffer);
struct source *unique source_of_text(const char *borrowed text, size_t length);
void source_free(struct source *unique source);

/* The next datum; m->eof if there is none; null, with a failure of m->file and the line, if the
 * text is wrong. */
struct object *read_datum(struct machine *m, struct source *borrowed source);

#endif
