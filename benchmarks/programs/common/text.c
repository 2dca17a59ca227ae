/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096 };

struct text *text_new(region r) {
  struct text *text = NEW(r, struct text);
  text->bytes = NEW_NUMBERS(r, FIRST_CAPACITY, char);
  text->length = 0;
  text->capacity = FIRST_CAPACITY;
  return text;
}

void text_release(struct text *text) {
  if (!IS_RELEASE_NEEDED)
    return;
  RELEASE(text->bytes);
  RELEASE(text);
}

static void reserve(struct text *text, size_t length) {
  if (text->capacity - text->length >= length)
    return;
  while (text->capacity - text->length < length)
    text->capacity *= 2;
  text->bytes = GROW(REGION_OF(text), text->bytes, text->capacity, char);
}

void text_append(struct text *text, const char *bytes, size_t length) {
  reserve(text, length);
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

void text_append_string(struct text *text, const char *string) {
  text_append(text, string, strlen(string));
}

bool text_append_file(struct text *text, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t count;
  do {
    reserve(text, FIRST_CAPACITY);
    count = fread(text->bytes + text->length, 1, text->capacity - text->length, file);
    text->length += count;
  } while (count > 0);
  bool is_read = !ferror(file);
  fclose(file);
  return is_read;
}
