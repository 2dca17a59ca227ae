/* SPDX-License-Identifier: MIT */
/* symbol.h - what names mean, scope by scope. */
#ifndef LCC_SYMBOL_H
#define LCC_SYMBOL_H

#include "type.h"

enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_FUNCTION, SYMBOL_TYPEDEF, SYMBOL_CONSTANT, SYMBOL_TAG };

struct symbol {
  struct symbol *sameregion next; /* in its bucket */
  struct atom *parentptr name;
  struct type *parentptr type;
  enum symbol_kind kind;
  long value; /* of a constant */
  int label;  /* of a static variable in a function, else 0 */
  /* Of a local variable: the virtual register it is, or, in memory, its place in the frame. */
  int local;
  bool is_local, is_in_memory, is_static, is_defined, is_tentative;
};

enum { TABLE_BUCKETS = 32, GLOBAL_BUCKETS = 2048 };

struct table {
  struct table *parentptr outer;
  struct symbol *sameregion *sameregion buckets;
  int bucket_count;
};

/* The innermost scope. */
extern struct table *scope;

struct table *table_new(region memory, struct table *outer, int bucket_count);
/* Enters and leaves a scope of the function. */
void scope_enter(void);
void scope_leave(void);
/* Tags have a name space of their own. */
struct symbol *symbol_find(const struct atom *name, bool is_tag);
struct symbol *symbol_find_here(const struct atom *name, bool is_tag);
/* A symbol in table, which must not have one of that name. */
struct symbol *symbol_add(struct table *table, struct atom *name, enum symbol_kind kind,
                          struct type *type);

#endif
