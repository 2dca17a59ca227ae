/* output.c - one growing buffer. */
#include "output.h"

#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char *traditional text;
  size_t length, capacity;
} buffer;

static void reserve(size_t more) {
  if (buffer.capacity - buffer.length > more)
    return;
  buffer.capacity = buffer.capacity * 2 + more + 65536;
  buffer.text = realloc(buffer.text, buffer.capacity);
  if (!buffer.text)
    error("out of memory");
}

void output_text(const char *text) {
  size_t length = strlen(text);
  reserve(length);
  memcpy(buffer.text + buffer.length, text, length + 1);
  buffer.length += length;
}

void output(const char *format, ...) {
  va_list arguments;
  reserve(1024);
  va_start(arguments, format);
  int length = vsnprintf(buffer.text + buffer.length, 1024, format, arguments);
  va_end(arguments);
  if (length < 0 || length >= 1024)
    error("line of assembly too long");
  buffer.length += (size_t)length;
}

const char *output_contents(size_t *length) {
  *length = buffer.length;
  return buffer.text ? buffer.text : "";
}

void output_reset(void) {
  free(buffer.text);
  buffer.text = NULL;
  buffer.length = buffer.capacity = 0;
}

uint64_t output_digest(void) {
  uint64_t digest = 14695981039346656037u;
  for (size_t i = 0; i < buffer.length; i++)
    digest = (digest ^ (unsigned char)buffer.text[i]) * 1099511628211u;
  return digest;
}
