/* SPDX-License-Identifier: MIT */
#include "scanner.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 16384 };

struct scanner *inregion(r) scanner_new(region r) {
  struct scanner *scanner = NEW(r, struct scanner);
  scanner->capacity = BUFFER_SIZE;
  scanner->buffer = malloc(scanner->capacity + 1);
  if (!scanner->buffer) {
    fputs("moss: out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return scanner;
}

void scanner_release(struct scanner *scanner) {
  free(scanner->buffer);
  scanner->buffer = NULL;
  RELEASE(scanner);
}

void scanner_begin(struct scanner *scanner, const struct text *text) {
  scanner->text = text;
  scanner->read_to = 0;
  scanner->limit = scanner->position = scanner->buffer;
  *scanner->limit = '\0';
  scanner->line = 1;
}

void scanner_finish(struct scanner *scanner) { scanner->text = NULL; }

/* Drops what is before position, then fills the buffer.  False at the end of the text, or if the
   buffer is full: a token that long is cut. */
static bool refill(struct scanner *scanner) {
  size_t kept = (size_t)(scanner->limit - scanner->position);
  size_t wanted = scanner->capacity - kept, left = scanner->text->length - scanner->read_to;
  size_t count = wanted < left ? wanted : left;
  memmove(scanner->buffer, scanner->position, kept);
  memcpy(scanner->buffer + kept, scanner->text->bytes + scanner->read_to, count);
  scanner->read_to += count;
  scanner->position = scanner->buffer;
  scanner->limit = scanner->buffer + kept + count;
  *scanner->limit = '\0';
  return count > 0;
}

/* The character at position + offset; 0 at the end. */
static unsigned char look(struct scanner *scanner, size_t offset) {
  while (scanner->position + offset >= scanner->limit)
    if (!refill(scanner))
      return 0;
  return (unsigned char)scanner->position[offset];
}

static void skip(struct scanner *scanner) {
  scanner->line += *scanner->position == '\n';
  scanner->position++;
}

static void skip_comment(struct scanner *scanner) {
  skip(scanner);
  skip(scanner);
  while (look(scanner, 0) && !(look(scanner, 0) == '*' && look(scanner, 1) == '/'))
    skip(scanner);
  for (int i = 0; i < 2 && look(scanner, 0); i++)
    skip(scanner);
}

static void skip_line(struct scanner *scanner) {
  while (look(scanner, 0) && look(scanner, 0) != '\n')
    skip(scanner);
}

static void skip_blanks(struct scanner *scanner) {
  for (;;) {
    unsigned char c = look(scanner, 0);
    if (isspace(c))
      skip(scanner);
    else if (c == '/' && look(scanner, 1) == '*')
      skip_comment(scanner);
    else if (c == '#' || (c == '/' && look(scanner, 1) == '/'))
      skip_line(scanner);
    else
      return;
  }
}

static uint32_t scan_string(struct scanner *scanner) {
  unsigned char quote = look(scanner, 0), c;
  skip(scanner);
  while ((c = look(scanner, 0)) && c != quote && c != '\n') {
    if (c == '\\' && look(scanner, 1))
      skip(scanner);
    skip(scanner);
  }
  if (c == quote)
    skip(scanner);
  return TOKEN_STRING;
}

static uint32_t scan_word(struct scanner *scanner) {
  static const char *const keywords[] = {
      "break",  "case",   "char",    "const",  "continue", "default", "do",
      "double", "else",   "enum",    "extern", "float",    "for",     "goto",
      "if",     "int",    "long",    "return", "short",    "sizeof",  "static",
      "struct", "switch", "typedef", "union",  "unsigned", "void",    "while"};
  size_t length = 0;
  while (isalnum(look(scanner, length)) || look(scanner, length) == '_')
    length++;
  const char *traditional start = scanner->position;
  scanner->position += length;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (keywords[i][0] == *start && strncmp(keywords[i], start, length) == 0 &&
        !keywords[i][length])
      return FIRST_KEYWORD + (uint32_t)i;
  return TOKEN_NAME;
}

uint32_t scanner_next(struct scanner *scanner, uint32_t *line) {
  skip_blanks(scanner);
  *line = scanner->line;
  unsigned char c = look(scanner, 0), next;
  if (!c && scanner->position == scanner->limit)
    return TOKEN_END;
  if (isalpha(c) || c == '_')
    return scan_word(scanner);
  if (isdigit(c)) {
    while (isalnum(look(scanner, 0)) || look(scanner, 0) == '.')
      skip(scanner);
    return TOKEN_NUMBER;
  }
  if (c == '"' || c == '\'')
    return scan_string(scanner);
  skip(scanner);
  next = look(scanner, 0);
  if (next && ((next == '=' && strchr("=!<>+-*/%&|^", c)) || (next == c && strchr("+-&|<>", c)) ||
               (c == '-' && next == '>'))) {
    skip(scanner);
    return FIRST_OPERATOR + (uint32_t)c * 2 + (next == '=');
  }
  return c < ' ' ? ' ' : c;
}
