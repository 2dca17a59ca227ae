/* SPDX-License-Identifier: MIT */
/* output.h - text: the assembly code, collected in malloc memory, and the formatting of its lines.
 *
 * Formats know %s %c %d %u %ld %lu %% and the flag +.  Most of the time of code generation would
 * else be printf's.
 */
#ifndef LCC_OUTPUT_H
#define LCC_OUTPUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void output(const char *format, ...) __attribute__((format(printf, 1, 2)));
void output_text(const char *text);
const char *output_contents(size_t *length);
void output_reset(void);
uint64_t output_digest(void);

/* Writes to text, which must have room; an error if it has not. */
void format_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
