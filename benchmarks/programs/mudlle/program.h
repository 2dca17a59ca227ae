/* SPDX-License-Identifier: MIT */
/* program.h - what one compiled program consists of: its code, its global variables, its constants.
 *
 * Regions, from the longest lived to the shortest; each is a subregion of the one before:
 *
 *   program    compiled code and symbols, until the program is deleted
 *   heap       the data of one run of it
 *   form       the parse tree of one form at the top level of a file, until that form is compiled
 *   list       the instruction list of one function, until it is assembled
 *
 * heap and form are both children of program.  A pointer goes to its own region or to an ancestor,
 * never down.
 */
#ifndef MUDLLE_PROGRAM_H
#define MUDLLE_PROGRAM_H

#include "../memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character string with its length: the constants of a program and the strings of a run. */
struct string {
  int length;
  char *sameregion text;
};

/* A global variable.  index is its place in the table of globals. */
struct symbol {
  struct symbol *sameregion next;
  char *sameregion name;
  uint32_t hash;
  int index;
};

struct code;

struct constant {
  struct string *sameregion string;
  struct code *sameregion code;
};

/* A function as the machine runs it. */
struct code {
  char *sameregion name;
  unsigned char *sameregion bytes;
  struct constant *sameregion constants;
  struct code *sameregion next; /* the function assembled before it */
  int byte_count, constant_count;
  int parameter_count, local_count, capture_count, stack_size;
};

/* All of it lies in the region of the program itself. */
struct program {
  struct symbol *sameregion *sameregion buckets;
  int bucket_count, symbol_count;
  struct code *sameregion newest;            /* of all code */
  struct code *sameregion *sameregion forms; /* code of the forms at top level, in order */
  int form_count, form_limit;
};

struct program *program_new(void);
void program_delete(struct program *program) deletes;

/* The symbol for name, new or known. */
struct symbol *program_symbol(struct program *program, const char *name);
void program_add_form(struct program *program, struct code *code);
/* A hash of all code, equal on every machine. */
uint64_t program_digest(const struct program *program, size_t *byte_count, size_t *code_count);

struct string *inregion(memory) string_new(region memory, const char *text, int length);
uint32_t hash_bytes(const char *bytes, size_t length);

/* Prints "mudlle: LINE: message" and ends the process with status 1.  line 0: not in the source. */
_Noreturn void fail(int line, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
