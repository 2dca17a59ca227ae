/* SPDX-License-Identifier: MIT */
/* tree.h - the parse tree of one form, and what the analysis of its variables adds to it. */
#ifndef MUDLLE_TREE_H
#define MUDLLE_TREE_H

#include "lexer.h"

enum node_kind {
  NODE_NIL,
  NODE_NUMBER, /* number */
  NODE_STRING, /* string */
  NODE_NAME,   /* name */
  NODE_ASSIGN, /* name = first */
  NODE_INDEX,  /* first[second] */
  NODE_STORE,  /* first[second] = third */
  NODE_CALL,   /* first(list) */
  NODE_UNARY,  /* operation first */
  NODE_BINARY, /* first operation second */
  NODE_AND,
  NODE_OR,
  NODE_LIST,     /* [list] */
  NODE_VECTOR,   /* #[list] */
  NODE_FUNCTION, /* function */
  NODE_BLOCK,    /* variables, list */
  NODE_IF,       /* first: condition, second, third */
  NODE_LOOP,     /* first: condition, second: body, third: step or null */
  NODE_RETURN,   /* first or null */
  NODE_BREAK,
  NODE_CONTINUE,
};

/* slot: of the frame.  A variable that is captured and assigned to lives in a box that its slot
 * points to. */
struct variable {
  struct variable *sameregion next; /* in its block or parameter list */
  char *sameregion name;
  struct function *sameregion owner;
  int slot;
  bool is_captured, is_assigned;
};

/* A variable of an outer function that a function uses. */
struct capture {
  struct capture *sameregion next;
  struct variable *sameregion variable;
  int index;
};

struct node {
  enum node_kind kind;
  int line;
  int depth; /* of the tree: bounded, because the compiler walks trees by recursion */
  enum token operation;
  int number;
  struct string *sameregion string;
  char *sameregion name;
  struct variable *sameregion variable; /* what name is; null: a global */
  struct symbol *parentptr global;
  struct node *sameregion first;
  struct node *sameregion second;
  struct node *sameregion third;
  struct node *sameregion list;
  struct node *sameregion next; /* in a list */
  struct variable *sameregion variables;
  struct function *sameregion function;
};

struct function {
  char *sameregion name;
  struct function *sameregion outer;
  struct variable *sameregion parameters;
  struct capture *sameregion captures; /* in order of index */
  struct node *sameregion body;
  int line;
  int parameter_count, local_count, capture_count;
};

/* Parses one form at top level into memory; null at the end of the text. */
struct function *inregion(memory) parse_form(struct lexer *lexer, region memory);

/* Replaces constant expressions by their values. */
void fold_function(struct function *function);

/* Resolves every name of the form: local, captured or global. */
void analyse_form(struct function *form, struct program *program);
/* Whether the variable lives in a box. */
bool variable_is_boxed(const struct variable *variable);

#endif
