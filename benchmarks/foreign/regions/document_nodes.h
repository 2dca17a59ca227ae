/* SPDX-License-Identifier: MIT */
/* document_nodes.h - the tree that mandoc makes of a document, with its arguments, equations and
 * texts, is in the document's region, and nothing of it is given back by itself.
 */
#ifndef DOCUMENT_NODES_H
#define DOCUMENT_NODES_H

#include <acre/acre.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern settled region document;

/* A text that roff made by malloc, as one of the document. */
static inline char *document_keep(char *text) {
  char *kept = rstrdup(document, text);
  free(text);
  return kept;
}

static inline char *document_strndup(const char *text, size_t size) {
  size_t length = strnlen(text, size);
  char *copy = rstralloc(document, length + 1);
  memcpy(copy, text, length);
  return copy;
}

static inline int document_asprintf(char **made, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    abort();
  *made = document_keep(text);
  return length;
}

#define document_strdup(text) rstrdup(document, (text))
#define document_realloc(text, size) rstrextend(document, (text), (size))
#define document_malloc(size) acre_region_alloc(document, (size), 8, ACRE_TYPE_OF_SIZE(size))
#define document_calloc(count, size) \
  acre_region_alloc_array(document, (count), (size), 8, ACRE_TYPE_OF_SIZE(size))
#define document_reallocarray(old, count, size) \
  acre_region_extend_array(document, (old), (count), (size), 8, ACRE_TYPE_OF_SIZE(size))
#define document_free(object) ((void)(object))

#endif
