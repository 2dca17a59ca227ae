/* SPDX-License-Identifier: MIT */
/* assemble.c - instruction lists to byte code.
 *
 * Operands take one byte where they fit.  Jumps begin narrow; those that do not reach are widened
 * until all do, so the widths are the smallest possible and the loop ends: an instruction never
 * becomes narrow again.
 */
#include "compile.h"

#include <string.h>

static int size_of(const struct instruction *instruction) {
  if (instruction->opcode == OP_LABEL)
    return 0;
  if (instruction->opcode < OP_FIRST_WITH_OPERAND)
    return 1;
  return instruction->is_wide ? 5 : 2;
}

static bool is_byte(int value) { return value >= INT8_MIN && value <= INT8_MAX; }

/* Sets addresses; returns the size of all. */
static int place(const struct list *list) {
  int address = 0;
  for (struct instruction *instruction = list->first; instruction;
       instruction = instruction->next) {
    instruction->address = address;
    address += size_of(instruction);
  }
  return address;
}

static bool widen(const struct list *list) {
  bool has_changed = false;
  for (struct instruction *instruction = list->first; instruction;
       instruction = instruction->next) {
    if (instruction->opcode < OP_FIRST_WITH_OPERAND || instruction->opcode == OP_LABEL)
      continue;
    if (instruction->target)
      instruction->operand =
          instruction->target->address - (instruction->address + size_of(instruction));
    if (!instruction->is_wide && !is_byte(instruction->operand)) {
      instruction->is_wide = true;
      has_changed = true;
    }
  }
  return has_changed;
}

static bool is_equal_constant(const struct constant *constant,
                              const struct instruction *instruction) {
  const struct string *a = constant->string, *b = instruction->string;
  if (!a || !b)
    return constant->code && constant->code == instruction->code;
  return a->length == b->length && memcmp(a->text, b->text, (size_t)a->length) == 0;
}

/* Gives each constant its place in the table; the strings move to the program's region. */
static void collect_constants(struct program *program, struct code *code, const struct list *list) {
  int limit = 0;
  for (const struct instruction *instruction = list->first; instruction;
       instruction = instruction->next)
    limit += instruction->opcode == OP_CONSTANT || instruction->opcode == OP_CLOSURE;
  if (limit == 0)
    return;
  region memory = regionof(program);
  code->constants = rarrayalloc(memory, limit, struct constant);
  for (struct instruction *instruction = list->first; instruction;
       instruction = instruction->next) {
    if (instruction->opcode != OP_CONSTANT && instruction->opcode != OP_CLOSURE)
      continue;
    int index = 0;
    while (index < code->constant_count && !is_equal_constant(&code->constants[index], instruction))
      index++;
    instruction->operand = index;
    if (index < code->constant_count)
      continue;
    struct constant *constant = &code->constants[code->constant_count++];
    constant->code = instruction->code;
    if (instruction->string)
      constant->string = string_new(memory, instruction->string->text, instruction->string->length);
  }
}

static void write_bytes(unsigned char *bytes, const struct list *list) {
  for (const struct instruction *instruction = list->first; instruction;
       instruction = instruction->next) {
    if (instruction->opcode == OP_LABEL)
      continue;
    *bytes++ = (unsigned char)(instruction->opcode | (instruction->is_wide ? OP_WIDE : 0));
    if (instruction->opcode < OP_FIRST_WITH_OPERAND)
      continue;
    for (int i = 0; i < (instruction->is_wide ? 4 : 1); i++)
      *bytes++ = (unsigned char)((unsigned)instruction->operand >> (8 * i));
  }
}

struct code *assemble_list(struct program *program, struct list *list) {
  struct code *code = ralloc(regionof(program), struct code);
  collect_constants(program, code, list);
  do
    code->byte_count = place(list);
  while (widen(list));
  code->bytes = (unsigned char *)rstralloc(regionof(program), (size_t)code->byte_count);
  write_bytes(code->bytes, list);
  code->next = program->newest;
  program->newest = code;
  return code;
}
