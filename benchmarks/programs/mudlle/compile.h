/* SPDX-License-Identifier: MIT */
/* compile.h - from the tree to byte code, by way of a list of instructions. */
#ifndef MUDLLE_COMPILE_H
#define MUDLLE_COMPILE_H

#include "tree.h"

/* Instructions of the stack machine.  What they pop and push: machine.c. */
enum opcode {
  /* Without operand. */
  OP_NIL,
  OP_POP,
  OP_DUP,
  OP_CONS,
  OP_EQUAL,
  OP_UNEQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_BIT_OR,
  OP_BIT_XOR,
  OP_BIT_AND,
  OP_SHIFT_LEFT,
  OP_SHIFT_RIGHT,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_NOT,
  OP_COMPLEMENT,
  OP_NEGATE,
  OP_INDEX,
  OP_STORE,
  OP_RETURN,
  /* With one: a signed byte, or four bytes if the opcode has OP_WIDE. */
  OP_NUMBER,
  OP_CONSTANT,
  OP_LOCAL,
  OP_SET_LOCAL,
  OP_BOXED_LOCAL,
  OP_SET_BOXED_LOCAL,
  OP_CAPTURED,
  OP_BOXED_CAPTURED,
  OP_SET_BOXED_CAPTURED,
  OP_GLOBAL,
  OP_SET_GLOBAL,
  OP_MAKE_BOX,
  OP_CALL,
  OP_LIST,
  OP_VECTOR,
  OP_CLOSURE,
  OP_ADD_NUMBER,
  /* The operand is the distance from the end of the instruction. */
  OP_JUMP,
  OP_JUMP_FALSE,
  OP_JUMP_TRUE,
  OP_JUMP_FALSE_KEEP,
  OP_JUMP_TRUE_KEEP,
  OP_JUMP_LESS,
  OP_JUMP_NOT_LESS,
  OP_JUMP_EQUAL,
  OP_JUMP_UNEQUAL,
  /* Not in byte code. */
  OP_LABEL,
  OP_FIRST_WITH_OPERAND = OP_NUMBER,
  OP_FIRST_JUMP = OP_JUMP,
  OP_WIDE = 0x80
};

struct instruction {
  struct instruction *sameregion next;
  struct instruction *sameregion previous;
  struct instruction *sameregion target; /* of a jump: an OP_LABEL */
  struct string *parentptr string;       /* of OP_CONSTANT */
  struct code *parentptr code;           /* of OP_CLOSURE */
  enum opcode opcode;
  int operand;
  int reference_count; /* of OP_LABEL: the jumps to it */
  int address;
  bool is_wide;
};

/* The instructions of one function, in the region of the list. */
struct list {
  struct instruction *sameregion first;
  struct instruction *sameregion last;
};

/* The code of function in program.  Nested functions are generated with it. */
struct code *generate_function(struct program *program, const struct function *function) deletes;

void optimize_list(struct list *list);

/* The byte code of list in program, without name and counts. */
struct code *assemble_list(struct program *program, struct list *list);

/* Compiles text, adding a form for each one at top level. */
void compile_text(struct program *program, const char *text) deletes;

bool opcode_is_jump(enum opcode opcode);
/* left operation right for numbers; false if there is no such value. */
bool compute_binary(enum token operation, int left, int right, int *result);

#endif
