/* SPDX-License-Identifier: MIT */
/* type.c - construction and comparison of types. */
#include "type.h"

static struct type *type_new(region memory, enum type_kind kind, long size, int align) {
  struct type *type = ralloc(memory, struct type);
  type->kind = kind;
  type->size = size;
  type->align = align;
  return type;
}

static struct type *basic(enum type_kind kind, int size) {
  return type_new(regionof(unit), kind, size, size ? size : 1);
}

/* What <stdarg.h> of this machine says: an array of one structure. */
static struct type *make_va_list(void) {
  struct type *list = type_aggregate(regionof(unit), TYPE_STRUCT, NULL);
  struct type *pointer = type_pointer_to(unit->void_type);
  type_add_field(list, atom_make("gp_offset", 9), unit->unsigned_type);
  type_add_field(list, atom_make("fp_offset", 9), unit->unsigned_type);
  type_add_field(list, atom_make("overflow_arg_area", 17), pointer);
  type_add_field(list, atom_make("reg_save_area", 13), pointer);
  type_finish_aggregate(list);
  return type_array_of(regionof(unit), list, 1);
}

void type_make_basic(void) {
  unit->void_type = basic(TYPE_VOID, 0);
  unit->void_type->size = -1;
  unit->bool_type = basic(TYPE_BOOL, 1);
  unit->char_type = basic(TYPE_CHAR, 1);
  unit->unsigned_char_type = basic(TYPE_UNSIGNED_CHAR, 1);
  unit->short_type = basic(TYPE_SHORT, 2);
  unit->unsigned_short_type = basic(TYPE_UNSIGNED_SHORT, 2);
  unit->int_type = basic(TYPE_INT, 4);
  unit->unsigned_type = basic(TYPE_UNSIGNED, 4);
  unit->long_type = basic(TYPE_LONG, 8);
  unit->unsigned_long_type = basic(TYPE_UNSIGNED_LONG, 8);
  unit->float_type = basic(TYPE_FLOAT, 4);
  unit->double_type = basic(TYPE_DOUBLE, 8);
  unit->va_list_type = make_va_list();
}

struct type *inregion(base) type_pointer_to(struct type *base) {
  if (base->pointer)
    return base->pointer;
  struct type *type = type_new(regionof(base), TYPE_POINTER, 8, 8);
  type->base = base;
  base->pointer = type;
  return type;
}

struct type *type_array_of(region memory, struct type *element, long count) {
  long size = count < 0 ? -1 : type_size(element) * count;
  struct type *type = type_new(memory, TYPE_ARRAY, size, element->align);
  type->base = element;
  return type;
}

struct type *type_function(region memory, struct type *result) {
  struct type *type = type_new(memory, TYPE_FUNCTION, -1, 1);
  type->base = result;
  return type;
}

struct type *type_aggregate(region memory, enum type_kind kind, struct atom *tag) {
  struct type *type = type_new(memory, kind, -1, 1);
  type->tag = tag;
  return type;
}

static long round_up(long size, int align) { return (size + align - 1) / align * align; }

void type_add_field(struct type *aggregate, struct atom *name, struct type *type) {
  struct field *field = ralloc(regionof(aggregate), struct field), *last = aggregate->fields;
  field->name = name;
  field->type = type;
  while (last && last->next)
    last = last->next;
  if (last)
    last->next = field;
  else
    aggregate->fields = field;
}

void type_finish_aggregate(struct type *aggregate) {
  long size = 0;
  for (struct field *field = aggregate->fields; field; field = field->next) {
    const struct type *type = field->type;
    bool is_flexible = !field->next && type->kind == TYPE_ARRAY && type->size < 0;
    long field_size = is_flexible ? 0 : type_size(type);
    if (type->align > aggregate->align)
      aggregate->align = type->align;
    if (aggregate->kind == TYPE_STRUCT) {
      field->offset = round_up(size, type->align);
      size = field->offset + field_size;
    } else if (field_size > size) {
      size = field_size;
    }
  }
  aggregate->size = round_up(size, aggregate->align);
}

const struct field *type_find_field(const struct type *aggregate, const struct atom *name,
                                    long *offset) {
  for (const struct field *field = aggregate->fields; field; field = field->next) {
    if (field->name == name) {
      *offset = field->offset;
      return field;
    }
    if (!field->name) {
      const struct field *inner = type_find_field(field->type, name, offset);
      if (inner) {
        *offset += field->offset;
        return inner;
      }
    }
  }
  return NULL;
}

long type_size(const struct type *type) {
  if (type->size < 0)
    error("object of a type without size");
  return type->size;
}

bool type_is_integer(const struct type *type) {
  return type->kind >= TYPE_BOOL && type->kind <= TYPE_UNSIGNED_LONG;
}
bool type_is_floating(const struct type *type) {
  return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
}
bool type_is_arithmetic(const struct type *type) {
  return type->kind >= TYPE_BOOL && type->kind <= TYPE_DOUBLE;
}
bool type_is_scalar(const struct type *type) {
  return type_is_arithmetic(type) || type->kind == TYPE_POINTER;
}
bool type_is_aggregate(const struct type *type) {
  return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

bool type_is_unsigned(const struct type *type) {
  switch (type->kind) {
  case TYPE_BOOL:
  case TYPE_UNSIGNED_CHAR:
  case TYPE_UNSIGNED_SHORT:
  case TYPE_UNSIGNED:
  case TYPE_UNSIGNED_LONG:
  case TYPE_POINTER:
    return true;
  default:
    return false;
  }
}

static bool is_equal_parameters(const struct type *a, const struct type *b) {
  const struct parameter *p = a->parameters, *q = b->parameters;
  if (!a->has_prototype || !b->has_prototype)
    return true;
  for (; p && q; p = p->next, q = q->next)
    if (!type_is_equal(p->type, q->type))
      return false;
  return !p && !q && a->is_variadic == b->is_variadic;
}

bool type_is_equal(const struct type *a, const struct type *b) {
  if (a == b)
    return true;
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case TYPE_POINTER:
    return type_is_equal(a->base, b->base);
  case TYPE_ARRAY:
    return type_is_equal(a->base, b->base) && (a->size == b->size || a->size < 0 || b->size < 0);
  case TYPE_FUNCTION:
    return type_is_equal(a->base, b->base) && is_equal_parameters(a, b);
  default:
    return false;
  }
}

struct type *type_promote(struct type *type) {
  return type_is_integer(type) && type->kind < TYPE_INT ? unit->int_type : type;
}

struct type *type_common(struct type *a, struct type *b) {
  a = type_promote(a);
  b = type_promote(b);
  return a->kind > b->kind ? a : b;
}
