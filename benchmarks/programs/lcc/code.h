/* SPDX-License-Identifier: MIT */
/* code.h - three-address code of one function: instructions on virtual registers.
 *
 * Every scalar local variable is a virtual register, as is every intermediate result.  A variable
 * whose address is taken is one that register allocation must leave in memory; a variable of
 * aggregate type always is.
 */
#ifndef LCC_CODE_H
#define LCC_CODE_H

#include "tree.h"

/* How a value is held and moved. */
enum class {
  CLASS_I1,
  CLASS_U1,
  CLASS_I2,
  CLASS_U2,
  CLASS_I4,
  CLASS_U4,
  CLASS_I8,
  CLASS_U8,
  CLASS_F4,
  CLASS_F8
};

enum operand_kind { OPERAND_NONE, OPERAND_REGISTER, OPERAND_IMMEDIATE };

struct operand {
  enum operand_kind kind;
  long value; /* of an immediate; a virtual register's number */
};

enum quad_op {
  QUAD_MOVE,    /* result = a */
  QUAD_FLOAT,   /* result = the constant at label */
  QUAD_ADDRESS, /* result = address of symbol or label + offset */
  QUAD_LOAD,    /* result = memory at a + offset, or at symbol or label + offset */
  QUAD_STORE,   /* that memory = b */
  QUAD_COPY,    /* offset bytes at a = those at b */
  QUAD_CLEAR,   /* offset bytes at a = 0 */
  QUAD_BINARY,  /* result = a operation b */
  QUAD_UNARY,   /* result = operation a */
  QUAD_CONVERT, /* result = a, which is of class from */
  QUAD_COMPARE, /* result = a operation b, of class from, as 0 or 1 */
  QUAD_BRANCH,  /* if a operation b go to label */
  QUAD_JUMP,
  QUAD_LABEL,
  QUAD_CALL,     /* result = call of symbol or a */
  QUAD_RETURN,   /* a or nothing */
  QUAD_VA_START, /* a: address of the list */
  QUAD_VA_ARG    /* result = next argument of class from; a: address of the list */
};

struct argument {
  struct argument *sameregion next;
  struct operand operand;
  enum class class;
};

struct quad {
  struct quad *sameregion next;
  struct quad *sameregion previous;
  enum quad_op op;
  enum op operation;
  enum class class; /* of result and operands */
  enum class from;
  int result; /* a virtual register; -1: none */
  int label;
  bool is_variadic; /* of QUAD_CALL */
  struct operand a, b;
  struct symbol *parentptr symbol;
  struct argument *sameregion arguments;
  long offset;
  int position; /* in allocate.c */
};

/* A virtual register.  place: the machine register, or -1 - then its slot is at offset from the
 * frame pointer. */
struct value {
  struct symbol *parentptr symbol; /* a variable's */
  enum class class;
  long size, offset;
  int place;
  bool has_slot;
};

/* An incoming argument. */
struct incoming {
  struct incoming *sameregion next;
  int value;
};

/* In the function's region. */
struct code {
  struct symbol *parentptr symbol;
  struct quad *sameregion first;
  struct quad *sameregion last;
  struct value *sameregion values;
  struct incoming *sameregion incoming;
  int value_count, value_limit;
  int return_label;
  int result_address; /* the hidden argument of a function that returns an aggregate; -1: none */
  int result_value;
  bool is_variadic;
  long frame_size;
  unsigned used_registers; /* bit for each that the function must save */
};

/* The function being compiled. */
extern struct code *settled code;

struct code *code_new(struct symbol *symbol, const struct type *type);
int code_new_local(struct symbol *symbol);
int code_new_value(enum class class);
struct quad *code_emit(enum quad_op op, enum class class, int result, struct operand a,
                       struct operand b);
void code_label(int label);
void code_jump(int label);
struct operand code_register(int value);
struct operand code_immediate(long value);
struct operand code_none(void);
bool code_is_in_memory(const struct value *value);

enum class class_of(const struct type *type);
bool class_is_floating(enum class class);
int class_size(enum class class);

/* dag.c: the dag of an expression becomes instructions. */
void code_expression(region r, const struct tree *inregion(r) tree);
/* Branches to label if tree is (not) true; falls through else. */
void code_branch(region r, const struct tree *inregion(r) tree, bool is_true, int label);
/* The value of a scalar expression. */
struct operand code_value(region r, const struct tree *inregion(r) tree);
/* The address of an aggregate. */
struct operand code_aggregate(region r, const struct tree *inregion(r) tree);

void code_allocate_registers(void);
void code_output(void);

#endif
