/* SPDX-License-Identifier: MIT */
/* text.h - bytes that grow, the notation of numbers, and values as text. */
#ifndef SCHEME_TEXT_H
#define SCHEME_TEXT_H

#include <stdio.h>

#include "value.h"

/* Zero: empty.  is_cut: memory was out, and something is missing. */
struct buffer {
  char *unique bytes;
  size_t length, size;
  bool is_cut;
};
void buffer_add(struct buffer *borrowed buffer, const char *borrowed bytes, size_t length);
void buffer_add_word(struct buffer *borrowed buffer, const char *borrowed word);
void buffer_add_character(struct buffer *borrowed buffer, uint32_t character);
void buffer_free(struct buffer *borrowed buffer);
/* What is in it, as a string and as a symbol. */
struct object *buffer_string(struct machine *m, const struct buffer *borrowed buffer);
struct object *buffer_symbol(struct machine *m, const struct buffer *borrowed buffer);
void buffer_write(const struct buffer *borrowed buffer, FILE *file);

/* The value in the notation of the language; for people (display) strings and characters stand for
   themselves. Lists that come back to themselves are cut, and so is what is nested deeper than
   PRINT_DEPTH. */
enum { PRINT_DEPTH = 2500 };
void print_value(struct buffer *borrowed buffer, struct object *value, bool is_for_people);
/* Names of characters that have one: "space". */
const char *character_name(uint32_t character);
bool character_of_name(const char *borrowed name, size_t length, uint32_t *borrowed character);

/* Null, without a failure, if the text is no number: then it may be a symbol. */
struct object *number_of_text(struct machine *m, const char *borrowed text, size_t length,
                              unsigned radix);
/* radix is 2 to 36; of a flonum 10. */
void print_number(struct buffer *borrowed buffer, const struct object *number, unsigned radix);

#endif
