/* SPDX-License-Identifier: MIT */
/* unit.c - the life of a translation unit, its constants, and errors. */
#include "unit.h"

#include "declaration.h"
#include "output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit *settled unit;

region unit_memory(void) { return unit->function ? unit->function : regionof(unit); }

int unit_new_label(void) { return ++unit->label_count; }

int unit_string_label(const char *bytes, int length) {
  struct string_constant *constant = ralloc(regionof(unit), struct string_constant);
  constant->bytes = rstralloc(regionof(unit), (size_t)length);
  memcpy(constant->bytes, bytes, (size_t)length);
  constant->length = length;
  constant->label = unit_new_label();
  constant->next = unit->strings;
  unit->strings = constant;
  return constant->label;
}

int unit_float_label(double value, bool is_float) {
  struct float_constant *constant = unit->floats;
  for (; constant; constant = constant->next)
    if (memcmp(&constant->value, &value, sizeof value) == 0 && constant->is_float == is_float)
      return constant->label;
  constant = ralloc(regionof(unit), struct float_constant);
  constant->value = value;
  constant->is_float = is_float;
  constant->label = unit_new_label();
  constant->next = unit->floats;
  unit->floats = constant;
  return constant->label;
}

static void output_string(const struct string_constant *constant) {
  output(".L%d:\n\t.string\t\"", constant->label);
  for (int i = 0; i < constant->length - 1; i++) {
    int c = constant->bytes[i] & 255;
    if (c >= 32 && c < 127 && c != '"' && c != '\\')
      output("%c", c);
    else
      output("\\%d%d%d", c >> 6, c >> 3 & 7, c & 7);
  }
  output_text("\"\n");
}

static void output_constants(void) {
  output_text("\t.section\t.rodata\n");
  for (const struct string_constant *constant = unit->strings; constant; constant = constant->next)
    output_string(constant);
  output_text("\t.p2align\t3\n");
  for (const struct float_constant *constant = unit->floats; constant; constant = constant->next) {
    float narrow = (float)constant->value;
    unsigned bits;
    unsigned long wide_bits;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&wide_bits, &constant->value, sizeof wide_bits);
    if (constant->is_float)
      output(".L%d:\n\t.long\t%u\n\t.long\t0\n", constant->label, bits);
    else
      output(".L%d:\n\t.quad\t%lu\n", constant->label, wide_bits);
  }
}

static void output_tentative(void) {
  for (int i = 0; i < unit->globals->bucket_count; i++)
    for (const struct symbol *symbol = unit->globals->buckets[i]; symbol; symbol = symbol->next)
      if (symbol->is_tentative && !symbol->is_defined)
        define_zero(symbol);
}

static void begin(void) deletes {
  region permanent = newregion();
  unit = ralloc(permanent, struct unit);
  unit->atoms = rarrayalloc(permanent, ATOM_BUCKETS, struct atom *sameregion);
  type_make_basic();
  unit->globals = table_new(permanent, NULL, GLOBAL_BUCKETS);
  scope = unit->globals;
}

static void end(void) deletes {
  region permanent = regionof(unit);
  lexer_stop();
  scope = NULL;
  unit = NULL;
  deleteregion(permanent);
}

void unit_compile(const char *text, const char *file_name) deletes {
  begin();
  lexer_start(text, file_name);
  while (lexer.token != TOKEN_END)
    parse_external();
  output_tentative();
  output_constants();
  output_text("\t.section\t.note.GNU-stack,\"\",@progbits\n");
  end();
}

void error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fprintf(stderr, "%.*s:%d: ", lexer.file ? lexer.file_length : 3, lexer.file ? lexer.file : "lcc",
          lexer.line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}
