/* SPDX-License-Identifier: MIT */
/* lines.h - lines of JSON for a file, without malloc or stdio.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_EVIDENCE_LINES_H
#define ACRE_RUNTIME_EVIDENCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct acre_lines {
  int fd;
  int error; /* errno of the first write that failed, or 0 */
  uint64_t count;
  size_t used;
  char buffer[1 << 15];
};

/* Begins a line: an object with one member. */
void acre_line_begin(struct acre_lines *lines, const char *name, uint64_t value);
void acre_line_number(struct acre_lines *lines, const char *name, uint64_t value);
/* text becomes a string; bytes that are no UTF-8 become U+FFFD. */
void acre_line_text(struct acre_lines *lines, const char *name, const char *text);
void acre_line_end(struct acre_lines *lines);
/* Writes what is left.  False if a write has failed. */
bool acre_lines_flush(struct acre_lines *lines);

#endif
