/* SPDX-License-Identifier: MIT */
/* unit.h - one translation unit: its regions, and what every part of the compiler uses.
 *
 *   permanent   types, global symbols, names, string constants: until the unit is compiled
 *   function    local symbols and the code of one function, a subregion of permanent
 *   statement   trees and dags of one expression, a subregion of function (of permanent for
 *               constant expressions)
 *
 * Pointers go to their own region or upwards.  unit is null between two units.
 */
#ifndef LCC_UNIT_H
#define LCC_UNIT_H

#include "../memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atom;
struct type;
struct symbol;
struct table;

struct string_constant {
  struct string_constant *sameregion next;
  char *sameregion bytes;
  int length; /* with the null byte */
  int label;
};

/* A floating constant that the code loads from memory. */
struct float_constant {
  struct float_constant *sameregion next;
  double value;
  bool is_float;
  int label;
};

enum { ATOM_BUCKETS = 1024 };

/* In the permanent region. */
struct unit {
  region function; /* null outside of functions */
  struct atom *sameregion *sameregion atoms;
  struct type *sameregion void_type, *sameregion bool_type, *sameregion char_type,
                                                                *sameregion unsigned_char_type;
  struct type *sameregion short_type, *sameregion unsigned_short_type, *sameregion int_type;
  struct type *sameregion unsigned_type, *sameregion long_type, *sameregion unsigned_long_type;
  struct type *sameregion float_type, *sameregion double_type, *sameregion va_list_type;
  struct table *sameregion globals;
  struct string_constant *sameregion strings;
  struct float_constant *sameregion floats;
  int label_count;
};

extern struct unit *settled unit;

/* Compiles text and appends assembly code to the output. */
void unit_compile(const char *text, const char *file_name) deletes;
/* Where objects of the innermost function go, or of the unit outside of functions. */
region unit_memory(void);
int unit_new_label(void);
int unit_string_label(const char *bytes, int length);
int unit_float_label(double value, bool is_float);

/* Prints "FILE:LINE: message" and ends the process with status 1. */
_Noreturn void error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
