/* SPDX-License-Identifier: MIT */
/* tree.h - typed expression trees, folded as they are built.  All of one expression lies in one
 * region. */
#ifndef LCC_TREE_H
#define LCC_TREE_H

#include "symbol.h"

enum op {
  OP_INTEGER,  /* value */
  OP_FLOATING, /* floating */
  OP_ADDRESS,  /* of symbol, or of the constant label, plus value */
  OP_INDIRECT, /* what kids[0] points to: a value, or the target of an assignment */
  OP_ASSIGN,
  OP_UPDATE, /* kids[0] operation= kids[1], computed in computed_type */
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_BIT_AND,
  OP_BIT_OR,
  OP_BIT_XOR,
  OP_SHIFT_LEFT,
  OP_SHIFT_RIGHT,
  OP_EQUAL,
  OP_UNEQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_NEGATE,
  OP_COMPLEMENT,
  OP_NOT,
  OP_CONVERT,
  OP_AND,
  OP_OR,
  OP_CONDITION, /* kids[0] ? kids[1] : kids[2] */
  OP_COMMA,
  OP_SEQUENCE, /* arguments, for their effects */
  OP_CALL,     /* kids[0]: the function's address; arguments */
  OP_CLEAR,    /* zeroes value bytes at kids[0] */
  OP_VA_START,
  OP_VA_ARG
};

struct tree {
  enum op op, operation;
  int label;
  bool is_postfix; /* of OP_UPDATE: the value is the one before */
  struct type *parentptr type;
  struct type *parentptr computed_type;
  struct symbol *parentptr symbol;
  struct tree *sameregion kids[3];
  struct tree *sameregion arguments;
  struct tree *sameregion next; /* argument */
  int depth; /* of the tree, which is bounded: the compiler walks trees by recursion */
  long value;
  double floating;
};

struct tree *inregion(r) tree_new(region r, enum op op, struct type *type,
                                  struct tree *inregion(r) left, struct tree *inregion(r) right);
/* kid, if there is one, is below tree. */
void tree_deepen(struct tree *tree, const struct tree *kid);
struct tree *inregion(r) tree_integer(region r, long value, struct type *type);
struct tree *inregion(r) tree_floating(region r, double value, struct type *type);
struct tree *inregion(r) tree_address(region r, struct symbol *symbol, struct type *type);
struct tree *inregion(r) tree_label_address(region r, int label, struct type *type);
/* The object at address. */
struct tree *inregion(r) tree_indirect(region r, struct tree *inregion(r) address);
/* left op right, both of the type that op works in. */
struct tree *inregion(r) tree_binary(region r, enum op op, struct type *type,
                                     struct tree *inregion(r) left, struct tree *inregion(r) right);
struct tree *inregion(r) tree_unary(region r, enum op op, struct type *type,
                                    struct tree *inregion(r) kid);
/* address + index * size of an element. */
struct tree *inregion(r) tree_element(region r, struct tree *inregion(r) pointer,
                                      struct tree *inregion(r) index, bool is_subtracted);
/* address + offset, of type. */
struct tree *inregion(r) tree_offset(region r, struct tree *inregion(r) address, long offset,
                                     struct type *type);
struct tree *inregion(r) tree_convert(region r, struct tree *inregion(r) tree, struct type *type);
/* Arrays and functions become pointers. */
struct tree *inregion(r) tree_decay(region r, struct tree *inregion(r) tree);
/* tree as a condition: a comparison, a logical operation or a scalar. */
struct tree *inregion(r) tree_test(region r, struct tree *inregion(r) tree);

bool op_is_comparison(enum op op);
/* value, cut to the size of the integer type. */
long type_truncate(const struct type *type, long value);

/* expression.c */
struct tree *inregion(r) parse_expression(region r);
struct tree *inregion(r) parse_assignment(region r);
/* As by assignment to an object of type, with its checks. */
struct tree *inregion(r) tree_assign_convert(region r, struct tree *inregion(r) tree,
                                             struct type *type);
long parse_constant(void);
struct tree *inregion(r) tree_assign(region r, struct tree *inregion(r) target,
                                     struct tree *inregion(r) value);

#endif
