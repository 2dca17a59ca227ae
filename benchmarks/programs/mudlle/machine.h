/* SPDX-License-Identifier: MIT */
/* machine.h - runs byte code. */
#ifndef MUDLLE_MACHINE_H
#define MUDLLE_MACHINE_H

#include "program.h"

enum kind {
  KIND_NIL,
  KIND_NUMBER,
  KIND_STRING,
  KIND_PAIR,
  KIND_VECTOR,
  KIND_CLOSURE,
  KIND_BUILTIN,
  KIND_BOX
};

/* reference: struct string, pair, vector, closure or box, by kind; null for the others.  Strings
   may lie in the program's region.  A value that has an address lies in the heap, never on the C
   stack: parentptr demands it. */
struct value {
  void *parentptr reference;
  enum kind kind;
  int number; /* of KIND_BUILTIN: its index */
};

struct pair {
  struct value head, tail;
};

struct vector {
  int length;
  struct value *sameregion elements;
};

struct box {
  struct value value;
};

struct closure {
  struct code *parentptr code;
  struct value *sameregion captured;
};

struct machine {
  struct program *parentptr program;
  struct value *sameregion globals;
  struct value *sameregion stack;
  int top; /* values on the stack */
  int call_depth;
  unsigned random_state;
};

/* A machine in a heap of its own, in which the globals have no value but the builtin functions. */
struct machine *machine_new(struct program *program);
void machine_delete(struct machine *machine) deletes;
/* Runs all forms; returns the value of the last, on the machine's stack. */
const struct value *machine_run(struct machine *machine);

_Noreturn void machine_fail(const char *message, const char *where);

/* value's text as print writes it. */
struct string *value_to_string(struct machine *machine, const struct value *value);
bool value_is_equal(const struct value *a, const struct value *b);

/* Makes a symbol of each builtin function. */
void builtin_declare(struct program *program);
void builtin_define(struct machine *machine);
/* Calls the builtin function index with count arguments. */
struct value builtin_call(struct machine *machine, int index, struct value *arguments, int count);

#endif
