/* SPDX-License-Identifier: MIT */
/* optimize.c - peephole improvements of an instruction list.
 *
 * A label's reference_count is the number of jumps to it, before and after each improvement.  An
 * improvement may need one more place on the stack than the code it replaces; generate_function
 * provides for that.
 */
#include "compile.h"

#include <limits.h>

enum { ROUND_LIMIT = 10 };

bool opcode_is_jump(enum opcode opcode) { return opcode >= OP_FIRST_JUMP && opcode < OP_LABEL; }

static void remove_instruction(struct list *list, struct instruction *instruction) {
  struct instruction *next = instruction->next, *previous = instruction->previous;
  if (instruction->target)
    instruction->target->reference_count--;
  if (next)
    next->previous = previous;
  else
    list->last = previous;
  if (previous)
    previous->next = next;
  else
    list->first = next;
}

static void remove_next(struct list *list, struct instruction *instruction) {
  remove_instruction(list, instruction->next);
}

/* The instruction that is executed after label. */
static struct instruction *after_label(struct instruction *label) {
  while (label && label->opcode == OP_LABEL)
    label = label->next;
  return label;
}

static void retarget(struct instruction *jump, struct instruction *label) {
  jump->target->reference_count--;
  jump->target = label;
  if (label)
    label->reference_count++;
}

/* A jump to a jump goes where that goes; a jump to a return is one. */
static bool thread_jump(struct instruction *jump) {
  const struct instruction *reached = after_label(jump->target);
  if (!reached)
    return false;
  if (reached->opcode == OP_JUMP && reached->target != jump->target) {
    retarget(jump, reached->target);
    return true;
  }
  if (jump->opcode == OP_JUMP && reached->opcode == OP_RETURN) {
    retarget(jump, NULL);
    jump->opcode = OP_RETURN;
    return true;
  }
  return false;
}

static bool is_only_labels_between(const struct instruction *from,
                                   const struct instruction *label) {
  for (from = from->next; from && from->opcode == OP_LABEL; from = from->next)
    if (from == label)
      return true;
  return false;
}

static bool remove_unreachable(struct list *list, struct instruction *instruction) {
  bool has_changed = false;
  while (instruction->next && instruction->next->opcode != OP_LABEL) {
    remove_next(list, instruction);
    has_changed = true;
  }
  return has_changed;
}

static enum opcode inverted_jump(enum opcode opcode) {
  switch (opcode) {
  case OP_JUMP_FALSE:
    return OP_JUMP_TRUE;
  case OP_JUMP_TRUE:
    return OP_JUMP_FALSE;
  case OP_JUMP_LESS:
    return OP_JUMP_NOT_LESS;
  case OP_JUMP_NOT_LESS:
    return OP_JUMP_LESS;
  case OP_JUMP_EQUAL:
    return OP_JUMP_UNEQUAL;
  case OP_JUMP_UNEQUAL:
    return OP_JUMP_EQUAL;
  default:
    return OP_LABEL;
  }
}

static bool improve_jump(struct list *list, struct instruction *jump) {
  if (thread_jump(jump))
    return true;
  struct instruction *next = jump->next;
  if (jump->opcode == OP_JUMP)
    return remove_unreachable(list, jump);
  /* A conditional jump over a jump is the opposite jump. */
  enum opcode inverted = inverted_jump(jump->opcode);
  if (inverted != OP_LABEL && next && next->opcode == OP_JUMP &&
      is_only_labels_between(next, jump->target)) {
    retarget(jump, next->target);
    jump->opcode = inverted;
    remove_next(list, jump);
    return true;
  }
  return false;
}

static bool is_push(enum opcode opcode) {
  switch (opcode) {
  case OP_NIL:
  case OP_DUP:
  case OP_NUMBER:
  case OP_CONSTANT:
  case OP_LOCAL:
  case OP_CAPTURED:
    return true;
  default:
    return false;
  }
}

/* A comparison before a conditional jump. */
static bool fuse_comparison(struct list *list, struct instruction *comparison) {
  struct instruction *jump = comparison->next;
  enum opcode when_true;
  switch (comparison->opcode) {
  case OP_LESS:
    when_true = OP_JUMP_LESS;
    break;
  case OP_EQUAL:
    when_true = OP_JUMP_EQUAL;
    break;
  case OP_UNEQUAL:
    when_true = OP_JUMP_UNEQUAL;
    break;
  case OP_NOT:
    when_true = OP_JUMP_FALSE;
    break;
  default:
    return false;
  }
  if (jump->opcode != OP_JUMP_TRUE && jump->opcode != OP_JUMP_FALSE)
    return false;
  jump->opcode = jump->opcode == OP_JUMP_TRUE ? when_true : inverted_jump(when_true);
  remove_instruction(list, comparison);
  return true;
}

static bool improve_number(struct list *list, struct instruction *number) {
  struct instruction *next = number->next;
  bool is_true = number->operand != 0;
  switch (next->opcode) {
  case OP_ADD:
    break;
  case OP_SUBTRACT:
    if (number->operand == INT_MIN)
      return false;
    number->operand = -number->operand;
    break;
  case OP_JUMP_TRUE:
  case OP_JUMP_FALSE:
    if (is_true == (next->opcode == OP_JUMP_TRUE))
      next->opcode = OP_JUMP;
    else
      remove_next(list, number);
    remove_instruction(list, number);
    return true;
  default:
    return false;
  }
  number->opcode = OP_ADD_NUMBER;
  remove_next(list, number);
  return true;
}

static bool improve_pair(struct list *list, struct instruction *instruction) {
  struct instruction *next = instruction->next;
  if (!next)
    return false;
  if (is_push(instruction->opcode) && next->opcode == OP_POP) {
    remove_next(list, instruction);
    remove_instruction(list, instruction);
    return true;
  }
  if (instruction->opcode == OP_SET_LOCAL && next->opcode == OP_LOCAL &&
      instruction->operand == next->operand) {
    instruction->opcode = OP_DUP;
    next->opcode = OP_SET_LOCAL;
    return true;
  }
  if (instruction->opcode == OP_NUMBER)
    return improve_number(list, instruction);
  return fuse_comparison(list, instruction);
}

/* One improvement at instruction, if there is any. */
static bool improve(struct list *list, struct instruction *instruction) {
  if (instruction->opcode == OP_LABEL) {
    if (instruction->reference_count > 0)
      return false;
    remove_instruction(list, instruction);
    return true;
  }
  if (instruction->opcode == OP_JUMP && is_only_labels_between(instruction, instruction->target)) {
    remove_instruction(list, instruction);
    return true;
  }
  if (opcode_is_jump(instruction->opcode))
    return improve_jump(list, instruction);
  if (instruction->opcode == OP_RETURN)
    return remove_unreachable(list, instruction);
  return improve_pair(list, instruction);
}

void optimize_list(struct list *list) {
  bool has_changed = true;
  for (int round = 0; has_changed && round < ROUND_LIMIT; round++) {
    has_changed = false;
    for (struct instruction *instruction = list->first, *next; instruction; instruction = next) {
      bool is_improved = improve(list, instruction);
      next = instruction->next;
      has_changed |= is_improved;
    }
  }
}
