/* SPDX-License-Identifier: MIT */
/* text.h - text that grows at its end, and files as text. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "memory.h"

struct text {
  char *sameregion bytes;
  size_t length, capacity;
};

/* An empty text in r. */
struct text *text_new(region r);
void text_release(struct text *text);
void text_append(struct text *text, const char *bytes, size_t length);
void text_append_string(struct text *text, const char *string);
/* Appends what the file holds.  False, with errno set, if it cannot be read. */
bool text_append_file(struct text *text, const char *path);

#endif
