/* output.h - the assembly text, collected in malloc memory. */
#ifndef LCC_OUTPUT_H
#define LCC_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

void output(const char *format, ...) __attribute__((format(printf, 1, 2)));
void output_text(const char *text);
const char *output_contents(size_t *length);
void output_reset(void);
uint64_t output_digest(void);

#endif
