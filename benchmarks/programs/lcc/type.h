/* SPDX-License-Identifier: MIT */
/* type.h - C types.  A derived type lies in the region of the type it is derived from, or below. */
#ifndef LCC_TYPE_H
#define LCC_TYPE_H

#include "lexer.h"

enum type_kind {
  TYPE_VOID,
  TYPE_BOOL,
  TYPE_CHAR,
  TYPE_UNSIGNED_CHAR,
  TYPE_SHORT,
  TYPE_UNSIGNED_SHORT,
  TYPE_INT,
  TYPE_UNSIGNED,
  TYPE_LONG,
  TYPE_UNSIGNED_LONG,
  TYPE_FLOAT,
  TYPE_DOUBLE,
  TYPE_POINTER,
  TYPE_ARRAY,
  TYPE_FUNCTION,
  TYPE_STRUCT,
  TYPE_UNION
};

struct field {
  struct field *sameregion next;
  struct atom *parentptr name; /* null: a struct or union without name */
  struct type *parentptr type;
  long offset;
};

struct parameter {
  struct parameter *sameregion next;
  struct atom *parentptr name;
  struct type *parentptr type;
};

struct type {
  enum type_kind kind;
  int align;
  long size;                       /* -1: not known yet */
  struct type *parentptr base;     /* of pointer, array; result of function */
  struct type *sameregion pointer; /* the pointer type to this one, once made */
  struct field *sameregion fields;
  struct parameter *sameregion parameters;
  struct atom *parentptr tag;
  bool is_variadic, has_prototype;
};

void type_make_basic(void);
struct type *inregion(base) type_pointer_to(struct type *base);
struct type *type_array_of(region memory, struct type *element, long count);
struct type *type_function(region memory, struct type *result);
struct type *type_aggregate(region memory, enum type_kind kind, struct atom *tag);
/* Adds a field behind those there are. */
void type_add_field(struct type *aggregate, struct atom *name, struct type *type);
void type_finish_aggregate(struct type *aggregate);
/* The field called name, looking into those without name; *offset is from the start of the
 * aggregate. */
const struct field *type_find_field(const struct type *aggregate, const struct atom *name,
                                    long *offset);
/* The size of an object of the type; an error if it has none. */
long type_size(const struct type *type);

bool type_is_integer(const struct type *type);
bool type_is_floating(const struct type *type);
bool type_is_arithmetic(const struct type *type);
bool type_is_scalar(const struct type *type);
bool type_is_unsigned(const struct type *type);
bool type_is_aggregate(const struct type *type);
bool type_is_equal(const struct type *a, const struct type *b);
struct type *type_promote(struct type *type);
/* The common type of two arithmetic types. */
struct type *type_common(struct type *a, struct type *b);

#endif
