/* SPDX-License-Identifier: MIT */
/* quasiquote.c - templates become calls of cons, append and list->vector. */
#include "compile.h"
#include "machine.h"

static struct object *quoted(struct machine *m, struct object *datum) {
  return list_of(m, form_object(m, FORM_QUOTE), datum, NULL);
}

static bool is_use(struct object *datum, struct object *scope, enum form form) {
  return is_pair(datum) && is_name(car(datum)) && is_form(car(datum), scope, form) &&
         list_length(datum) == 2;
}

/* Whether nothing in the datum is to be computed. */
static bool is_constant(struct object *datum, struct object *scope) {
  for (; is_pair(datum); datum = cdr(datum))
    if (is_use(datum, scope, FORM_UNQUOTE) || is_use(datum, scope, FORM_UNQUOTE_SPLICING) ||
        is_use(datum, scope, FORM_QUASIQUOTE) || !is_constant(car(datum), scope))
      return false;
  for (size_t i = 0; is_kind(datum, KIND_VECTOR) && i < as_slots(datum)->length; i++)
    if (!is_constant(slot(datum, i), scope))
      return false;
  return true;
}

/* (form datum), where the datum is one level deeper or less deep. */
static struct object *expand_nested(struct machine *m, struct object *datum, struct object *scope,
                                    unsigned level) {
  struct object *inner = expand_quasiquote(m, cadr(datum), scope, level);
  return inner ? list_of(m, primitive_object(m, "list"), quoted(m, car(datum)), inner, NULL) : NULL;
}

static struct object *expand_vector(struct machine *m, struct object *vector, struct object *scope,
                                    unsigned level) {
  struct object *list = m->nil;
  for (size_t i = as_slots(vector)->length; i > 0; i--)
    list = make_pair(m, slot(vector, i - 1), list);
  struct object *inner = expand_quasiquote(m, list, scope, level);
  return inner ? list_of(m, primitive_object(m, "list->vector"), inner, NULL) : NULL;
}

struct object *expand_quasiquote(struct machine *m, struct object *datum, struct object *scope,
                                 unsigned level) {
  if (is_constant(datum, scope))
    return quoted(m, datum);
  if (is_kind(datum, KIND_VECTOR))
    return expand_vector(m, datum, scope, level);
  if (is_use(datum, scope, FORM_UNQUOTE))
    return level == 1 ? cadr(datum) : expand_nested(m, datum, scope, level - 1);
  if (is_use(datum, scope, FORM_QUASIQUOTE))
    return expand_nested(m, datum, scope, level + 1);
  struct object *rest = expand_quasiquote(m, cdr(datum), scope, level), *first;
  if (!rest)
    return NULL;
  if (is_use(car(datum), scope, FORM_UNQUOTE_SPLICING) && level == 1)
    return list_of(m, primitive_object(m, "append"), cadr(car(datum)), rest, NULL);
  if (is_use(car(datum), scope, FORM_UNQUOTE_SPLICING))
    first = expand_nested(m, car(datum), scope, level - 1);
  else
    first = expand_quasiquote(m, car(datum), scope, level);
  return first ? list_of(m, primitive_object(m, "cons"), first, rest, NULL) : NULL;
}
