/* SPDX-License-Identifier: MIT */
/* reader.c - a recursive reader; nesting is limited to what the stack of C has room for. */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "text.h"

enum { READ_DEPTH = 2500 };

struct source *unique source_of_text(const char *borrowed text, size_t length) {
  struct source *unique source = calloc(1, sizeof *source);
  char *unique copy = malloc(length + 1);
  if (!source || !copy) {
    free(source);
    free(copy);
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  source->text = copy;
  source->length = length;
  source->line = 1;
  return source;
}

struct source *unique source_of_buffer(const struct buffer *borrowed buffer) {
  return buffer->bytes ? source_of_text(buffer->bytes, buffer->length) : source_of_text("", 0);
}

struct source *unique source_of_file(const char *borrowed path) {
  struct buffer buffer = {0};
  char part[4096];
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!file)
    return NULL;
  for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
    buffer_add(&buffer, part, got);
  bool is_wrong = ferror(file) || buffer.is_cut;
  int reason = ferror(file) ? errno : ENOMEM;
  if (file != stdin)
    fclose(file);
  struct source *unique source = is_wrong ? NULL : source_of_buffer(&buffer);
  buffer_free(&buffer);
  if (!source)
    errno = reason;
  return source;
}

void source_free(struct source *unique source) {
  if (source)
    free(acre_take(&source->text));
  free(source);
}

static int peek(const struct source *source, size_t ahead) {
  return source->place + ahead < source->length ? (unsigned char)source->text[source->place + ahead]
                                                : EOF;
}

static int next(struct source *source) {
  int c = peek(source, 0);
  if (c != EOF)
    source->place++;
  source->line += c == '\n';
  return c;
}

static struct object *wrong(struct machine *m, const struct source *source, const char *message) {
  m->line = source->line;
  return fail_with(m, make_message(m, message), m->nil, "read-error");
}

static struct object *incomplete(struct machine *m, struct source *source, const char *message) {
  source->is_incomplete = true;
  return wrong(m, source, message);
}

static bool skip_block_comment(struct source *source) {
  for (unsigned depth = 0;;) {
    int c = next(source);
    if (c == EOF)
      return false;
    if (c == '#' && peek(source, 0) == '|') {
      next(source);
      depth++;
    } else if (c == '|' && peek(source, 0) == '#') {
      next(source);
      if (--depth == 0)
        return true;
    }
  }
}

static struct object *read_at(struct machine *m, struct source *borrowed source, int depth);

/* Goes to the next token.  False: a failure. */
static bool skip_blanks(struct machine *m, struct source *source, int depth) {
  for (;;) {
    int c = peek(source, 0), after = peek(source, 1);
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      next(source);
    } else if (c == ';') {
      while (c != EOF && c != '\n')
        c = next(source);
    } else if (c == '#' && after == '!' && source->place == 0) {
      while (c != EOF && c != '\n')
        c = next(source);
    } else if (c == '#' && after == '|') {
      if (!skip_block_comment(source)) {
        incomplete(m, source, "a comment has no end");
        return false;
      }
    } else if (c == '#' && after == ';') {
      source->place += 2;
      struct object *skipped = read_at(m, source, depth - 1);
      if (!skipped)
        return false;
      if (is_kind(skipped, KIND_EOF)) {
        incomplete(m, source, "#; has no datum after it");
        return false;
      }
    } else {
      return true;
    }
  }
}

static bool is_delimiter(int c) {
  return c == EOF || c == '(' || c == ')' || c == '"' || c == ';' || c == '\'' || c == ' ' ||
         (c >= '\t' && c <= '\r');
}

/* What comes after the backslash in a string or a name.  False: a failure. */
static bool read_escape(struct machine *m, struct source *source, struct buffer *buffer) {
  static const char letters[] = "ntrab", meanings[] = "\n\t\r\a\b";
  int c = next(source);
  const char *letter = c > 0 ? strchr(letters, c) : NULL;
  if (letter) {
    buffer_add(buffer, meanings + (letter - letters), 1);
  } else if (c == 'x' || c == 'X') {
    unsigned long code = 0;
    for (c = next(source); c != ';'; c = next(source)) {
      const char *digit = c > 0 ? strchr("0123456789abcdefABCDEF", c) : NULL;
      if (!digit || code > 0x10FFFF)
        return wrong(m, source, "\\x needs a hexadecimal number and a semicolon"), false;
      long value = digit - "0123456789abcdefABCDEF";
      code = 16 * code + (unsigned long)(value > 15 ? value - 6 : value);
    }
    buffer_add_character(buffer, (uint32_t)code);
  } else if (c == ' ' || c == '\t' || c == '\n') {
    while (c == ' ' || c == '\t')
      c = next(source);
    while (peek(source, 0) == ' ' || peek(source, 0) == '\t')
      next(source);
  } else if (c != EOF) {
    char itself = (char)c;
    buffer_add(buffer, &itself, 1);
  }
  return true;
}

/* What is between two ends: a string or a name in bars. */
static struct object *read_quoted(struct machine *m, struct source *source, int end) {
  struct buffer buffer = {0};
  bool is_right = true;
  next(source);
  int c = next(source);
  for (; is_right && c != end && c != EOF; c = is_right ? next(source) : 0) {
    char itself = (char)c;
    if (c == '\\')
      is_right = read_escape(m, source, &buffer);
    else
      buffer_add(&buffer, &itself, 1);
  }
  struct object *result = NULL;
  if (is_right && c == EOF)
    incomplete(m, source, end == '"' ? "a string has no end" : "a name in bars has no end");
  else if (is_right)
    result = end == '"' ? buffer_string(m, &buffer) : buffer_symbol(m, &buffer);
  buffer_free(&buffer);
  return result;
}

/* Sets the line of a pair; lines past what fits are not known. */
static struct object *with_line(struct object *pair, unsigned line) {
  pair->line = line < 1u << 24 ? line : 0;
  return pair;
}

/* From after the parenthesis. */
static struct object *read_list(struct machine *m, struct source *source, int depth) {
  struct object *first = m->nil, *last = NULL;
  unsigned begin = source->line;
  for (;;) {
    if (!skip_blanks(m, source, depth))
      return NULL;
    int c = peek(source, 0);
    if (c == EOF) {
      source->line = begin;
      return incomplete(m, source, "a parenthesis is not closed");
    }
    unsigned line = source->line;
    if (c == ')') {
      next(source);
      return first;
    }
    bool is_tail = c == '.' && last && is_delimiter(peek(source, 1));
    if (is_tail)
      next(source);
    struct object *item = read_at(m, source, depth);
    if (!item)
      return NULL;
    if (is_tail) {
      if (!skip_blanks(m, source, depth))
        return NULL;
      if (next(source) != ')')
        return source->place < source->length
                   ? wrong(m, source, "one datum belongs after the dot")
                   : incomplete(m, source, "a parenthesis is not closed");
      as_pair(last)->cdr = item;
      return first;
    }
    struct object *pair = with_line(make_pair(m, item, m->nil), line);
    if (last)
      as_pair(last)->cdr = pair;
    else
      first = with_line(pair, begin);
    last = pair;
  }
}

static struct object *read_vector(struct machine *m, struct source *source, int depth,
                                  bool is_bytes) {
  struct object *list = read_list(m, source, depth);
  if (!list)
    return NULL;
  int64_t length = list_length(list);
  if (length < 0)
    return wrong(m, source, "a vector has no dot");
  if (!is_bytes) {
    struct slots *vector = make_slots(m, KIND_VECTOR, (size_t)length, NULL);
    for (size_t i = 0; i < vector->length; i++, list = cdr(list))
      vector->items[i] = car(list);
    return &vector->head;
  }
  struct bytevector *bytes = make_bytevector(m, (size_t)length);
  for (size_t i = 0; i < bytes->length; i++, list = cdr(list)) {
    if (!is_fixnum(car(list)) || integer_of(car(list)) < 0 || integer_of(car(list)) > 255)
      return wrong(m, source, "a byte is a number from 0 to 255");
    bytes->bytes[i] = (uint8_t)integer_of(car(list));
  }
  return &bytes->head;
}

static struct object *read_character(struct machine *m, struct source *borrowed source) {
  size_t begin = source->place;
  if (begin >= source->length)
    return incomplete(m, source, "#\\ needs a character");
  uint32_t character = utf8_next(source->text, source->length, &source->place);
  source->line += character == '\n';
  while (source->place > begin && !is_delimiter(peek(source, 0)))
    source->place++;
  size_t length = source->place - begin, place = begin;
  const char *name = source->text + begin;
  utf8_next(source->text, source->length, &place);
  if (place - begin == length || is_delimiter(name[0])) {
    source->place = place;
    return make_character(m, character);
  }
  const struct object *number = name[0] == 'x' ? number_of_text(m, name + 1, length - 1, 16) : NULL;
  if (number && is_fixnum(number) && integer_of(number) >= 0 && integer_of(number) <= 0x10FFFF)
    return make_character(m, (uint32_t)integer_of(number));
  return character_of_name(name, length, &character)
             ? make_character(m, character)
             : wrong(m, source, "there is no character of that name");
}

/* A number, a symbol, #t or #f. */
static struct object *read_word(struct machine *m, struct source *borrowed source) {
  size_t begin = source->place;
  while (!is_delimiter(peek(source, 0)))
    source->place++;
  const char *word = source->text + begin;
  size_t length = source->place - begin;
  struct object *number = number_of_text(m, word, length, 10);
  if (number)
    return number;
  if (word[0] == '#') {
    if ((length == 2 && word[1] == 't') || (length == 5 && memcmp(word, "#true", 5) == 0))
      return m->yes;
    if ((length == 2 && word[1] == 'f') || (length == 6 && memcmp(word, "#false", 6) == 0))
      return m->no;
    return wrong(m, source, "# has no meaning here");
  }
  if (length == 1 && word[0] == '.')
    return wrong(m, source, "a dot is out of place");
  if (word[0] >= '0' && word[0] <= '9' && memchr(word, '/', length))
    return wrong(m, source, "there are no fractions in this Scheme");
  return intern(m, word, length);
}

static struct object *read_abbreviation(struct machine *m, struct source *source, const char *name,
                                        int depth) {
  unsigned line = source->line;
  struct object *datum = read_at(m, source, depth - 1);
  if (!datum || is_kind(datum, KIND_EOF))
    return datum ? incomplete(m, source, "a quotation has no datum") : NULL;
  return with_line(make_pair(m, intern_word(m, name), make_pair(m, datum, m->nil)), line);
}

static struct object *read_hash(struct machine *m, struct source *source, int depth) {
  if (peek(source, 1) == '(') {
    source->place += 2;
    return read_vector(m, source, depth, false);
  }
  if (peek(source, 1) == '\\') {
    source->place += 2;
    return read_character(m, source);
  }
  if (peek(source, 1) == 'u' && peek(source, 2) == '8' && peek(source, 3) == '(') {
    source->place += 4;
    return read_vector(m, source, depth, true);
  }
  return read_word(m, source);
}

static struct object *read_at(struct machine *m, struct source *borrowed source, int depth) {
  if (depth <= 0)
    return wrong(m, source, "data are nested too deeply");
  if (!skip_blanks(m, source, depth))
    return NULL;
  switch (peek(source, 0)) {
  case EOF:
    return m->eof;
  case '(':
    next(source);
    return read_list(m, source, depth - 1);
  case ')':
    next(source);
    return wrong(m, source, "a parenthesis closes nothing");
  case '"':
    return read_quoted(m, source, '"');
  case '|':
    return read_quoted(m, source, '|');
  case '\'':
    next(source);
    return read_abbreviation(m, source, "quote", depth);
  case '`':
    next(source);
    return read_abbreviation(m, source, "quasiquote", depth);
  case ',':
    next(source);
    if (peek(source, 0) != '@')
      return read_abbreviation(m, source, "unquote", depth);
    next(source);
    return read_abbreviation(m, source, "unquote-splicing", depth);
  case '#':
    return read_hash(m, source, depth);
  default:
    return read_word(m, source);
  }
}

struct object *read_datum(struct machine *m, struct source *borrowed source) {
  source->is_incomplete = false;
  return read_at(m, source, READ_DEPTH);
}
