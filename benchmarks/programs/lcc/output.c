/* SPDX-License-Identifier: MIT */
/* output.c - one growing buffer, and what fills it. */
#include "output.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 1024 };

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

/* The digits of value before end; returns their start. */
static char *format_number(char *end, unsigned long value, bool is_negative, bool is_sign_wanted) {
  *--end = '\0';
  do
    *--end = (char)('0' + value % 10);
  while (value /= 10);
  if (is_negative || is_sign_wanted)
    *--end = is_negative ? '-' : '+';
  return end;
}

/* Appends text at *to, before limit. */
static char *append(char *to, const char *limit, const char *text) {
  size_t length = strlen(text);
  if (length >= (size_t)(limit - to))
    error("line of assembly too long");
  memcpy(to, text, length);
  return to + length;
}

/* One conversion, after "%"; *format moves to its last character. */
static char *format_argument(char *to, const char *limit, const char **format, va_list *arguments) {
  char digits[24], *end = digits + sizeof digits;
  bool is_sign_wanted = **format == '+';
  *format += is_sign_wanted;
  bool is_long = **format == 'l';
  *format += is_long;
  long value;
  switch (**format) {
  case 's':
    return append(to, limit, va_arg(*arguments, const char *));
  case 'd':
    value = is_long ? va_arg(*arguments, long) : va_arg(*arguments, int);
    return append(to, limit,
                  format_number(end, value < 0 ? 0 - (unsigned long)value : (unsigned long)value,
                                value < 0, is_sign_wanted));
  case 'u': {
    unsigned long number =
        is_long ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
    return append(to, limit, format_number(end, number, false, is_sign_wanted));
  }
  case 'c':
    *to = (char)va_arg(*arguments, int);
    return to + 1;
  default:
    *to = **format;
    return to + 1;
  }
}

static char *format_list(char *to, const char *limit, const char *format, va_list *arguments) {
  for (; *format; format++) {
    if (limit - to < 2)
      error("line of assembly too long");
    if (*format == '%') {
      format++;
      to = format_argument(to, limit, &format, arguments);
    } else {
      *to++ = *format;
    }
  }
  *to = '\0';
  return to;
}

void format_text(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  format_list(text, text + size, format, &arguments);
  va_end(arguments);
}

void output_text(const char *text) {
  size_t length = strlen(text);
  reserve(length);
  memcpy(buffer.text + buffer.length, text, length + 1);
  buffer.length += length;
}

void output(const char *format, ...) {
  va_list arguments;
  reserve(LINE_LIMIT);
  va_start(arguments, format);
  char *start = buffer.text + buffer.length;
  buffer.length += (size_t)(format_list(start, start + LINE_LIMIT, format, &arguments) - start);
  va_end(arguments);
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
