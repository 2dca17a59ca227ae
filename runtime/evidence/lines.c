/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h. */
#include "evidence/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "platform/kernel.h"

bool acre_lines_flush(struct acre_lines *lines) {
  for (size_t done = 0; done < lines->used && !lines->error;) {
    const ssize_t written = write(lines->fd, lines->buffer + done, lines->used - done);
    if (written >= 0)
      done += (size_t)written;
    else if (errno != EINTR)
      lines->error = errno;
  }
  lines->used = 0;
  return !lines->error;
}

static void put(struct acre_lines *lines, char c) {
  if (lines->used == sizeof lines->buffer)
    acre_lines_flush(lines);
  lines->buffer[lines->used++] = c;
}

static void put_all(struct acre_lines *lines, const char *text) {
  for (; *text; text++)
    put(lines, *text);
}

static void put_number(struct acre_lines *lines, uint64_t value) {
  char digits[24], *at = digits + sizeof digits;
  *--at = 0;
  do
    *--at = (char)('0' + value % 10);
  while (value /= 10);
  put_all(lines, at);
}

/* How many bytes the character of UTF-8 at text has; 0 if it is none. */
static size_t length_of_character(const unsigned char *text) {
  const unsigned char first = text[0];
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xc2 && first < 0xe0 ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  const bool is_overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90),
             is_surrogate = first == 0xed && text[1] >= 0xa0,
             is_beyond = first == 0xf4 && text[1] >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

static void put_string(struct acre_lines *lines, const char *text) {
  static const char hex[] = "0123456789abcdef";
  put(lines, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    size_t length = length_of_character(c);
    if (*c < 0x20 || *c == 0x7f) {
      put_all(lines, "\\u00");
      put(lines, hex[*c >> 4]);
      put(lines, hex[*c & 15]);
    } else if (length == 0) {
      put_all(lines, "\\ufffd");
      length = 1;
    } else {
      if (*c == '"' || *c == '\\')
        put(lines, '\\');
      for (size_t i = 0; i < length; i++)
        put(lines, (char)c[i]);
    }
    c += length;
  }
  put(lines, '"');
}

static void put_name(struct acre_lines *lines, char before, const char *name) {
  put(lines, before);
  put_string(lines, name);
  put(lines, ':');
}

void acre_line_begin(struct acre_lines *lines, const char *name, uint64_t value) {
  put_name(lines, '{', name);
  put_number(lines, value);
}

void acre_line_number(struct acre_lines *lines, const char *name, uint64_t value) {
  put_name(lines, ',', name);
  put_number(lines, value);
}

void acre_line_text(struct acre_lines *lines, const char *name, const char *text) {
  put_name(lines, ',', name);
  put_string(lines, text);
}

void acre_line_end(struct acre_lines *lines) {
  put_all(lines, "}\n");
  lines->count++;
}
