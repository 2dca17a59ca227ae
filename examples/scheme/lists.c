/* SPDX-License-Identifier: MIT */
/* lists.c - pairs and lists. */
#include <stdio.h>
#include <string.h>

#include "primitives.h"

static struct object *cons(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  (void)count;
  return make_pair(m, arguments[0], arguments[1]);
}

/* path: what is taken, the last letter first, as in "cadr". */
static struct object *follow(struct machine *m, const char *name, struct object *o) {
  for (const char *letter = name + strlen(name) - 2; letter > name; letter--) {
    if (!is_pair(o))
      return fail_type(m, name, letter == name + strlen(name) - 2 ? "a pair" : "a longer list", o);
    o = *letter == 'a' ? car(o) : cdr(o);
  }
  return o;
}

// clang-format off: a list
#define PATHS(X) \
  X(car) X(cdr) X(caar) X(cadr) X(cdar) X(cddr) X(caaar) X(caadr) X(cadar) X(caddr) \
  X(cdaar) X(cdadr) X(cddar) X(cdddr) X(cadddr) X(cddddr)
// clang-format on
#define PATH(name)                                                                           \
  static struct object *take_##name(struct machine *m, struct object *sameregion *arguments, \
                                    unsigned count) {                                        \
    (void)count;                                                                             \
    return follow(m, #name, arguments[0]);                                                   \
  }
PATHS(PATH)
#undef PATH

static struct object *set_car(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  if (!is_pair(arguments[0]))
    return fail_type(m, "set-car!", "a pair", arguments[0]);
  as_pair(arguments[0])->car = arguments[1];
  return m->unspecified;
}

static struct object *set_cdr(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  if (!is_pair(arguments[0]))
    return fail_type(m, "set-cdr!", "a pair", arguments[0]);
  as_pair(arguments[0])->cdr = arguments[1];
  return m->unspecified;
}

static struct object *is_it_pair(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)count;
  return make_boolean(m, is_pair(arguments[0]));
}

static struct object *is_it_nil(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  return make_boolean(m, is_nil(arguments[0]));
}

static struct object *is_it_list(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)count;
  return make_boolean(m, list_length(arguments[0]) >= 0);
}

static struct object *list(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  struct object *result = m->nil;
  for (unsigned i = count; i > 0; i--)
    result = make_pair(m, arguments[i - 1], result);
  return result;
}

/* (cons* a b rest) */
static struct object *list_before(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  struct object *result = arguments[count - 1];
  for (unsigned i = count - 1; i > 0; i--)
    result = make_pair(m, arguments[i - 1], result);
  return result;
}

static struct object *length(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  (void)count;
  int64_t found = list_length(arguments[0]);
  return found < 0 ? fail_type(m, "length", "a list", arguments[0]) : make_integer(m, found);
}

/* A copy of list in front of rest. */
static struct object *copy_before(struct machine *m, struct object *list, struct object *rest) {
  if (is_nil(list))
    return rest;
  struct object *first = make_pair(m, car(list), rest), *last = first;
  for (list = cdr(list); is_pair(list); list = cdr(list)) {
    struct object *next = make_pair(m, car(list), rest);
    as_pair(last)->cdr = next;
    last = next;
  }
  return first;
}

static struct object *append(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  struct object *result = count ? arguments[count - 1] : m->nil;
  for (unsigned i = count; i > 1; i--) {
    if (list_length(arguments[i - 2]) < 0)
      return fail_type(m, "append", "a list", arguments[i - 2]);
    result = copy_before(m, arguments[i - 2], result);
  }
  return result;
}

static struct object *list_copy(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  return list_length(arguments[0]) < 0 ? arguments[0] : copy_before(m, arguments[0], m->nil);
}

static struct object *reverse(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  struct object *result = m->nil;
  if (list_length(arguments[0]) < 0)
    return fail_type(m, "reverse", "a list", arguments[0]);
  for (struct object *each = arguments[0]; is_pair(each); each = cdr(each))
    result = make_pair(m, car(each), result);
  return result;
}

static struct object *tail(struct machine *m, const char *name,
                           struct object *sameregion *arguments) {
  if (!is_index(m, name, arguments[1], 0, INT64_MAX))
    return NULL;
  struct object *each = arguments[0];
  for (int64_t i = integer_of(arguments[1]); i > 0; i--, each = cdr(each))
    if (!is_pair(each))
      return fail_type(m, name, "a longer list", arguments[0]);
  return each;
}

static struct object *list_tail(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  return tail(m, "list-tail", arguments);
}

static struct object *list_ref(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  (void)count;
  struct object *found = tail(m, "list-ref", arguments);
  if (!found)
    return NULL;
  return is_pair(found) ? car(found) : fail_type(m, "list-ref", "a longer list", arguments[0]);
}

static struct object *make_list(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  if (!is_index(m, "make-list", arguments[0], 0, INT64_MAX / 64) ||
      !has_room(m, "make-list", (uint64_t)integer_of(arguments[0]) * sizeof(struct pair)))
    return NULL;
  struct object *result = m->nil;
  for (int64_t i = integer_of(arguments[0]); i > 0; i--)
    result = make_pair(m, count > 1 ? arguments[1] : m->unspecified, result);
  return result;
}

static bool is_same(struct object *a, struct object *b, bool is_deep) {
  return is_deep ? is_equal(a, b, EQUAL_DEPTH) : is_eqv(a, b);
}

static struct object *member(struct machine *m, const char *name,
                             struct object *sameregion *arguments, bool is_deep) {
  struct object *each = arguments[1];
  for (; is_pair(each); each = cdr(each))
    if (is_same(arguments[0], car(each), is_deep))
      return each;
  return is_nil(each) ? m->no : fail_type(m, name, "a list", arguments[1]);
}

static struct object *member_eqv(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)count;
  return member(m, "memv", arguments, false);
}

static struct object *member_equal(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  (void)count;
  return member(m, "member", arguments, true);
}

static struct object *associate(struct machine *m, const char *name,
                                struct object *sameregion *arguments, bool is_deep) {
  struct object *each = arguments[1];
  for (; is_pair(each); each = cdr(each)) {
    if (!is_pair(car(each)))
      return fail_type(m, name, "a list of pairs", arguments[1]);
    if (is_same(arguments[0], car(car(each)), is_deep))
      return car(each);
  }
  return is_nil(each) ? m->no : fail_type(m, name, "a list", arguments[1]);
}

static struct object *associate_eqv(struct machine *m, struct object *sameregion *arguments,
                                    unsigned count) {
  (void)count;
  return associate(m, "assv", arguments, false);
}

static struct object *associate_equal(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  return associate(m, "assoc", arguments, true);
}

const struct primitive primitives_lists[] = {
#define PATH(name) {#name, take_##name, 1, 1},
    PATHS(PATH)
#undef PATH
        {"cons", cons, 2, 2},
    {"set-car!", set_car, 2, 2},
    {"set-cdr!", set_cdr, 2, 2},
    {"pair?", is_it_pair, 1, 1},
    {"null?", is_it_nil, 1, 1},
    {"list?", is_it_list, 1, 1},
    {"list", list, 0, ANY_COUNT},
    {"cons*", list_before, 1, ANY_COUNT},
    {"length", length, 1, 1},
    {"append", append, 0, ANY_COUNT},
    {"list-copy", list_copy, 1, 1},
    {"reverse", reverse, 1, 1},
    {"list-tail", list_tail, 2, 2},
    {"list-ref", list_ref, 2, 2},
    {"make-list", make_list, 1, 2},
    {"memq", member_eqv, 2, 2},
    {"memv", member_eqv, 2, 2},
    {"%member", member_equal, 2, 2},
    {"assq", associate_eqv, 2, 2},
    {"assv", associate_eqv, 2, 2},
    {"%assoc", associate_equal, 2, 2},
    {NULL, NULL, 0, 0}};
