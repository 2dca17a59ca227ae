/* SPDX-License-Identifier: MIT */
/* scope.c - finds what a name means. */
#include "syntax.h"

struct object *inregion(m) scope_new(struct machine *m, struct object *inregion(m) parent,
                                     bool has_frame) {
  struct slots *scope = make_slots(m, KIND_SCOPE, SCOPE_SLOTS, NULL);
  scope->items[SCOPE_PARENT] = parent;
  scope->items[SCOPE_ENTRIES] = m->nil;
  scope->items[SCOPE_HAS_FRAME] = make_boolean(m, has_frame);
  return &scope->head;
}

void scope_add(struct machine *m, struct object *inregion(m) scope, struct object *inregion(m) name,
               struct object *inregion(m) meaning) {
  struct slots *slots = as_slots(scope);
  slots->items[SCOPE_ENTRIES] =
      make_pair(m, make_pair(m, name, meaning), slots->items[SCOPE_ENTRIES]);
}

static struct object *entry_in(struct object *name, struct object *scope) {
  for (struct object *rest = slot(scope, SCOPE_ENTRIES); is_pair(rest); rest = cdr(rest))
    if (car(car(rest)) == name)
      return car(rest);
  return NULL;
}

/* Frames from scope up to holder, which is one of those around it. */
static unsigned frames_between(struct object *scope, const struct object *holder) {
  unsigned count = 0;
  for (; scope && scope != holder; scope = slot(scope, SCOPE_PARENT))
    count += is_true(slot(scope, SCOPE_HAS_FRAME));
  return count;
}

struct meaning meaning_of(struct object *name, struct object *scope) {
  struct object *from = scope;
  for (;; from = slot(name, ALIAS_SCOPE), name = slot(name, ALIAS_NAME)) {
    for (struct object *each = from; each; each = slot(each, SCOPE_PARENT)) {
      struct object *entry = entry_in(name, each);
      if (entry && is_fixnum(cdr(entry)))
        return (struct meaning){.kind = MEANS_LOCAL,
                                .up = frames_between(scope, each),
                                .variable = (unsigned)integer_of(cdr(entry))};
      if (entry)
        return (struct meaning){.kind = MEANS_SYNTAX, .object = cdr(entry)};
    }
    if (is_symbol(name))
      break;
  }
  if (as_symbol(name)->syntax)
    return (struct meaning){.kind = MEANS_SYNTAX, .object = as_symbol(name)->syntax};
  return (struct meaning){.kind = MEANS_GLOBAL, .object = name};
}

bool is_form(struct object *o, struct object *scope, enum form form) {
  if (is_name(o)) {
    struct meaning meaning = meaning_of(o, scope);
    if (meaning.kind != MEANS_SYNTAX)
      return false;
    o = meaning.object;
  }
  return is_kind(o, KIND_FORM) && integer_of(o) == form;
}

struct object *inregion(m) form_object(struct machine *m, enum form form) {
  return make_number_of_kind(m, KIND_FORM, form);
}

struct object *name_symbol(struct object *name) {
  while (is_kind(name, KIND_ALIAS))
    name = slot(name, ALIAS_NAME);
  return name;
}

static bool has_alias(struct object *datum) {
  for (; is_pair(datum); datum = cdr(datum))
    if (has_alias(car(datum)))
      return true;
  if (is_kind(datum, KIND_VECTOR))
    for (size_t i = 0; i < as_slots(datum)->length; i++)
      if (has_alias(slot(datum, i)))
        return true;
  return is_kind(datum, KIND_ALIAS);
}

static struct object *vector_without(struct machine *m, struct object *vector) {
  struct slots *copy = make_slots(m, KIND_VECTOR, as_slots(vector)->length, NULL);
  for (size_t i = 0; i < copy->length; i++)
    copy->items[i] = without_aliases(m, slot(vector, i));
  return &copy->head;
}

struct object *inregion(m) without_aliases(struct machine *m, struct object *inregion(m) datum) {
  if (!has_alias(datum))
    return datum;
  if (is_name(datum))
    return name_symbol(datum);
  if (is_kind(datum, KIND_VECTOR))
    return vector_without(m, datum);
  struct object *first = make_pair(m, without_aliases(m, car(datum)), m->nil), *last = first;
  for (datum = cdr(datum); is_pair(datum); datum = cdr(datum)) {
    struct object *next = make_pair(m, without_aliases(m, car(datum)), m->nil);
    as_pair(last)->cdr = next;
    last = next;
  }
  as_pair(last)->cdr = without_aliases(m, datum);
  return first;
}
