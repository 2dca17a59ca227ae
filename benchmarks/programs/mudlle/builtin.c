/* SPDX-License-Identifier: MIT */
/* builtin.c - the functions that every program finds defined, and values as text. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builtin {
  const char *name;
  int argument_count;
  struct value (*run)(struct machine *machine, struct value *arguments);
};

static struct value make_number(int number) { return (struct value){NULL, KIND_NUMBER, number}; }

static void require(const struct value *value, enum kind kind, const char *where) {
  if (value->kind != kind)
    machine_fail("argument of the wrong type", where);
}

/* Text that grows in malloc memory until it becomes a string of the heap. */
struct text {
  char *traditional bytes;
  int length, capacity;
};

static void text_add(struct text *text, const char *bytes, int length) {
  if (text->length + length > text->capacity) {
    text->capacity = 2 * (text->length + length) + 32;
    text->bytes = realloc(text->bytes, (size_t)text->capacity);
    if (!text->bytes)
      fail(0, "out of memory");
  }
  memcpy(text->bytes + text->length, bytes, (size_t)length);
  text->length += length;
}

static void text_add_literal(struct text *text, const char *literal) {
  text_add(text, literal, (int)strlen(literal));
}

static void text_add_value(struct text *text, const struct value *value, int depth);

static void text_add_pairs(struct text *text, const struct value *list, int depth) {
  text_add_literal(text, "[");
  for (; list->kind == KIND_PAIR; list = &((const struct pair *)list->reference)->tail) {
    const struct pair *pair = list->reference;
    text_add_value(text, &pair->head, depth);
    if (pair->tail.kind != KIND_NIL)
      text_add_literal(text, pair->tail.kind == KIND_PAIR ? ", " : " :: ");
  }
  if (list->kind != KIND_NIL)
    text_add_value(text, list, depth);
  text_add_literal(text, "]");
}

static void text_add_vector(struct text *text, const struct vector *vector, int depth) {
  text_add_literal(text, "#[");
  for (int i = 0; i < vector->length; i++) {
    text_add_literal(text, i ? ", " : "");
    text_add_value(text, &vector->elements[i], depth);
  }
  text_add_literal(text, "]");
}

/* Structures that are deeper (or cyclic) are cut. */
static void text_add_value(struct text *text, const struct value *value, int depth) {
  char digits[16];
  const struct string *string = value->reference;
  const struct closure *closure = value->reference;
  if (depth > 20) {
    text_add_literal(text, "...");
    return;
  }
  switch (value->kind) {
  case KIND_NIL:
    text_add_literal(text, "nil");
    break;
  case KIND_NUMBER:
    snprintf(digits, sizeof digits, "%d", value->number);
    text_add_literal(text, digits);
    break;
  case KIND_STRING:
    text_add(text, string->text, string->length);
    break;
  case KIND_PAIR:
    text_add_pairs(text, value, depth + 1);
    break;
  case KIND_VECTOR:
    text_add_vector(text, value->reference, depth + 1);
    break;
  case KIND_CLOSURE:
    text_add_literal(text, "fn ");
    text_add_literal(text, closure->code->name);
    break;
  default:
    text_add_literal(text, "fn");
    break;
  }
}

struct string *value_to_string(struct machine *machine, const struct value *value) {
  struct text text = {NULL, 0, 0};
  text_add_value(&text, value, 0);
  struct string *string = string_new(regionof(machine), text.bytes, text.length);
  free(text.bytes);
  return string;
}

static struct value run_print(struct machine *machine, struct value *arguments) {
  const struct string *string = value_to_string(machine, &arguments[0]);
  fwrite(string->text, 1, (size_t)string->length, stdout);
  return arguments[0];
}

static struct value run_string(struct machine *machine, struct value *arguments) {
  return (struct value){value_to_string(machine, &arguments[0]), KIND_STRING, 0};
}

static struct value run_length(struct machine *machine, struct value *arguments) {
  (void)machine;
  const struct value *value = &arguments[0];
  int length = 0;
  if (value->kind == KIND_STRING)
    return make_number(((const struct string *)value->reference)->length);
  if (value->kind == KIND_VECTOR)
    return make_number(((const struct vector *)value->reference)->length);
  for (; value->kind == KIND_PAIR; value = &((const struct pair *)value->reference)->tail)
    length++;
  require(value, KIND_NIL, "length");
  return make_number(length);
}

static struct value run_head(struct machine *machine, struct value *arguments) {
  (void)machine;
  require(&arguments[0], KIND_PAIR, "head");
  return ((const struct pair *)arguments[0].reference)->head;
}

static struct value run_tail(struct machine *machine, struct value *arguments) {
  (void)machine;
  require(&arguments[0], KIND_PAIR, "tail");
  return ((const struct pair *)arguments[0].reference)->tail;
}

static struct value run_set_tail(struct machine *machine, struct value *arguments) {
  (void)machine;
  require(&arguments[0], KIND_PAIR, "set_tail");
  ((struct pair *)arguments[0].reference)->tail = arguments[1];
  return arguments[1];
}

static struct value run_vector(struct machine *machine, struct value *arguments) {
  require(&arguments[0], KIND_NUMBER, "vector");
  if (arguments[0].number < 0 || arguments[0].number > 100000000)
    machine_fail("bad length", "vector");
  struct vector *vector = ralloc(regionof(machine), struct vector);
  vector->length = arguments[0].number;
  vector->elements = rarrayalloc(regionof(machine), (size_t)vector->length, struct value);
  for (int i = 0; i < vector->length; i++)
    vector->elements[i] = arguments[1];
  return (struct value){vector, KIND_VECTOR, 0};
}

static struct value run_substring(struct machine *machine, struct value *arguments) {
  require(&arguments[0], KIND_STRING, "substring");
  require(&arguments[1], KIND_NUMBER, "substring");
  require(&arguments[2], KIND_NUMBER, "substring");
  const struct string *string = arguments[0].reference;
  int start = arguments[1].number, length = arguments[2].number;
  if (start < 0 || length < 0 || start > string->length || length > string->length - start)
    machine_fail("index out of range", "substring");
  return (struct value){string_new(regionof(machine), string->text + start, length), KIND_STRING,
                        0};
}

static struct value run_random(struct machine *machine, struct value *arguments) {
  require(&arguments[0], KIND_NUMBER, "random");
  if (arguments[0].number <= 0)
    machine_fail("bad limit", "random");
  machine->random_state = machine->random_state * 1103515245u + 12345u;
  return make_number((int)((machine->random_state >> 8) % (unsigned)arguments[0].number));
}

static struct value run_is_pair(struct machine *machine, struct value *arguments) {
  (void)machine;
  return make_number(arguments[0].kind == KIND_PAIR);
}

static struct value run_is_number(struct machine *machine, struct value *arguments) {
  (void)machine;
  return make_number(arguments[0].kind == KIND_NUMBER);
}

static struct value run_is_string(struct machine *machine, struct value *arguments) {
  (void)machine;
  return make_number(arguments[0].kind == KIND_STRING);
}

static struct value run_error(struct machine *machine, struct value *arguments) {
  machine_fail(value_to_string(machine, &arguments[0])->text, "error");
}

static const struct builtin builtins[] = {
    {"print", 1, run_print},   {"string", 1, run_string},       {"length", 1, run_length},
    {"head", 1, run_head},     {"tail", 1, run_tail},           {"set_tail", 2, run_set_tail},
    {"vector", 2, run_vector}, {"substring", 3, run_substring}, {"random", 1, run_random},
    {"pair?", 1, run_is_pair}, {"number?", 1, run_is_number},   {"string?", 1, run_is_string},
    {"error", 1, run_error},
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

void builtin_declare(struct program *program) {
  for (int i = 0; i < BUILTIN_COUNT; i++)
    program_symbol(program, builtins[i].name);
}

void builtin_define(struct machine *machine) {
  for (int i = 0; i < BUILTIN_COUNT; i++) {
    const struct symbol *symbol = program_symbol(machine->program, builtins[i].name);
    machine->globals[symbol->index] = (struct value){NULL, KIND_BUILTIN, i};
  }
}

struct value builtin_call(struct machine *machine, int index, struct value *arguments, int count) {
  const struct builtin *builtin = &builtins[index];
  if (count != builtin->argument_count)
    machine_fail("wrong number of arguments", builtin->name);
  return builtin->run(machine, arguments);
}
