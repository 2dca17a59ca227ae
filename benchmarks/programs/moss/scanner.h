/* SPDX-License-Identifier: MIT */
/* scanner.h - program text as tokens, in which names, numbers and strings are all the same.
 *
 * The scanner has a buffer of its own, from malloc in every mode, as generated scanners do.  One
 * scanner reads one text after the other.
 */
#ifndef MOSS_SCANNER_H
#define MOSS_SCANNER_H

#include <stdint.h>

#include "text.h"

/* Other tokens are their characters, combined for operators of two; keywords are FIRST_KEYWORD and
 * following. */
enum {
  TOKEN_END = 0,
  TOKEN_NAME = 1,
  TOKEN_NUMBER = 2,
  TOKEN_STRING = 3,
  FIRST_KEYWORD = 256,
  FIRST_OPERATOR = 512
};

struct scanner {
  char *traditional buffer;
  char *traditional limit;    /* [buffer, limit) has been read, *limit is 0 */
  char *traditional position; /* of the character to look at next */
  size_t capacity;
  uint32_t line;           /* of position */
  const struct text *text; /* what is read, [read_to, length) still to come */
  size_t read_to;
};

struct scanner *inregion(r) scanner_new(region r);
void scanner_release(struct scanner *scanner);
/* Begins to read text, which must stay until the last token is read. */
void scanner_begin(struct scanner *scanner, const struct text *text);
/* Forgets the text. */
void scanner_finish(struct scanner *scanner);
/* The next token, TOKEN_END after the last; sets *line. */
uint32_t scanner_next(struct scanner *scanner, uint32_t *line);

#endif
