/* SPDX-License-Identifier: MIT */
/* strings.c - strings, which can be changed in place. */
#include <string.h>
#include <wctype.h>

#include "primitives.h"

static bool are_strings(struct machine *m, const char *name, struct object *sameregion *arguments,
                        unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!is_string(arguments[i])) {
      fail_type(m, name, "a string", arguments[i]);
      return false;
    }
  return true;
}

static bool is_character(struct machine *m, const char *name, struct object *o) {
  if (is_kind(o, KIND_CHARACTER))
    return true;
  fail_type(m, name, "a character", o);
  return false;
}

static struct object *is_it_string(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  (void)count;
  return make_boolean(m, is_string(arguments[0]));
}

static struct object *make(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  if (!is_index(m, "make-string", arguments[0], 0, INT64_MAX / 8) ||
      !has_room(m, "make-string", (uint64_t)integer_of(arguments[0]) * sizeof(uint32_t)) ||
      (count > 1 && !is_character(m, "make-string", arguments[1])))
    return NULL;
  struct string *string = make_string(m, (size_t)integer_of(arguments[0]));
  for (size_t i = 0; i < string->length; i++)
    string->characters[i] = count > 1 ? (uint32_t)integer_of(arguments[1]) : ' ';
  return &string->head;
}

static struct object *of_characters(struct machine *m, struct object *sameregion *arguments,
                                    unsigned count) {
  struct string *string = make_string(m, count);
  for (unsigned i = 0; i < count; i++) {
    if (!is_character(m, "string", arguments[i]))
      return NULL;
    string->characters[i] = (uint32_t)integer_of(arguments[i]);
  }
  return &string->head;
}

static struct object *length(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  return are_strings(m, "string-length", arguments, count)
             ? make_integer(m, (int64_t)as_string(arguments[0])->length)
             : NULL;
}

static bool is_place(struct machine *m, const char *name, struct object *sameregion *arguments) {
  return are_strings(m, name, arguments, 1) &&
         is_index(m, name, arguments[1], 0, (int64_t)as_string(arguments[0])->length - 1);
}

static struct object *ref(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  (void)count;
  return is_place(m, "string-ref", arguments)
             ? make_character(m, as_string(arguments[0])->characters[integer_of(arguments[1])])
             : NULL;
}

static struct object *set(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  (void)count;
  if (!is_place(m, "string-set!", arguments) || !is_character(m, "string-set!", arguments[2]))
    return NULL;
  as_string(arguments[0])->characters[integer_of(arguments[1])] =
      (uint32_t)integer_of(arguments[2]);
  return m->unspecified;
}

static struct object *append(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  uint64_t total = 0;
  size_t place = 0;
  if (!are_strings(m, "string-append", arguments, count))
    return NULL;
  for (unsigned i = 0; i < count; i++)
    total += as_string(arguments[i])->length;
  if (!has_room(m, "string-append", total * sizeof(uint32_t)))
    return NULL;
  struct string *string = make_string(m, (size_t)total);
  for (unsigned i = 0; i < count; i++) {
    const struct string *each = as_string(arguments[i]);
    memcpy(string->characters + place, each->characters, each->length * sizeof(uint32_t));
    place += each->length;
  }
  return &string->head;
}

static struct object *copy(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  size_t start, end;
  if (!are_strings(m, "string-copy", arguments, 1) ||
      !select_range(m, "string-copy", arguments, count, 1, as_string(arguments[0])->length, &start,
                    &end))
    return NULL;
  struct string *string = make_string(m, end - start);
  memcpy(string->characters, as_string(arguments[0])->characters + start,
         (end - start) * sizeof(uint32_t));
  return &string->head;
}

/* (string-copy! to at from [start end]) */
static struct object *copy_into(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  size_t start, end;
  if (!are_strings(m, "string-copy!", arguments, 1) ||
      !are_strings(m, "string-copy!", arguments + 2, 1) ||
      !select_range(m, "string-copy!", arguments, count, 3, as_string(arguments[2])->length, &start,
                    &end) ||
      !is_index(m, "string-copy!", arguments[1], 0,
                (int64_t)as_string(arguments[0])->length - (int64_t)(end - start)))
    return NULL;
  memmove(as_string(arguments[0])->characters + integer_of(arguments[1]),
          as_string(arguments[2])->characters + start, (end - start) * sizeof(uint32_t));
  return m->unspecified;
}

static struct object *fill(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  size_t start, end;
  if (!are_strings(m, "string-fill!", arguments, 1) ||
      !is_character(m, "string-fill!", arguments[1]) ||
      !select_range(m, "string-fill!", arguments, count, 2, as_string(arguments[0])->length, &start,
                    &end))
    return NULL;
  for (size_t i = start; i < end; i++)
    as_string(arguments[0])->characters[i] = (uint32_t)integer_of(arguments[1]);
  return m->unspecified;
}

static struct object *to_list(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  size_t start, end;
  if (!are_strings(m, "string->list", arguments, 1) ||
      !select_range(m, "string->list", arguments, count, 1, as_string(arguments[0])->length, &start,
                    &end))
    return NULL;
  struct object *list = m->nil;
  for (size_t i = end; i > start; i--)
    list = make_pair(m, make_character(m, as_string(arguments[0])->characters[i - 1]), list);
  return list;
}

static struct object *of_list(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  int64_t size = list_length(arguments[0]);
  if (size < 0)
    return fail_type(m, "list->string", "a list", arguments[0]);
  struct string *string = make_string(m, (size_t)size);
  struct object *each = arguments[0];
  for (size_t i = 0; i < string->length; i++, each = cdr(each)) {
    if (!is_character(m, "list->string", car(each)))
      return NULL;
    string->characters[i] = (uint32_t)integer_of(car(each));
  }
  return &string->head;
}

static struct object *with_case(struct machine *m, const char *name, struct object *o,
                                wint_t change(wint_t)) {
  if (!is_string(o))
    return fail_type(m, name, "a string", o);
  struct string *string = make_string(m, as_string(o)->length);
  for (size_t i = 0; i < string->length; i++)
    string->characters[i] = (uint32_t)change((wint_t)as_string(o)->characters[i]);
  return &string->head;
}

static struct object *upcase(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  (void)count;
  return with_case(m, "string-upcase", arguments[0], towupper);
}

static struct object *downcase(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  (void)count;
  return with_case(m, "string-downcase", arguments[0], towlower);
}

static uint32_t folded(uint32_t character, bool is_folded) {
  return is_folded ? (uint32_t)towlower((wint_t)character) : character;
}

static int compare(const struct string *a, const struct string *b, bool is_folded) {
  for (size_t i = 0; i < a->length && i < b->length; i++) {
    uint32_t first = folded(a->characters[i], is_folded),
             second = folded(b->characters[i], is_folded);
    if (first != second)
      return first < second ? -1 : 1;
  }
  return (a->length > b->length) - (a->length < b->length);
}

#define COMPARISON(function, name, is_folded, operator)                                         \
  static struct object *function(struct machine *m, struct object *sameregion *arguments,       \
                                 unsigned count) {                                              \
    bool is_so = true;                                                                          \
    if (!are_strings(m, name, arguments, count))                                                \
      return NULL;                                                                              \
    for (unsigned i = 1; i < count; i++)                                                        \
      is_so = is_so && compare(as_string(arguments[i - 1]), as_string(arguments[i]), is_folded) \
                           operator 0;                                                          \
    return make_boolean(m, is_so);                                                              \
  }
COMPARISON(is_same, "string=?", false, ==)
COMPARISON(is_less, "string<?", false, <)
COMPARISON(is_greater, "string>?", false, >)
COMPARISON(is_at_most, "string<=?", false, <=)
COMPARISON(is_at_least, "string>=?", false, >=)
COMPARISON(is_same_folded, "string-ci=?", true, ==)
COMPARISON(is_less_folded, "string-ci<?", true, <)
#undef COMPARISON

/* (string-search pattern string [start]): where it begins, or #f */
static struct object *search(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  size_t start, end;
  if (!are_strings(m, "string-search", arguments, 2) ||
      !select_range(m, "string-search", arguments, count, 2, as_string(arguments[1])->length,
                    &start, &end))
    return NULL;
  const struct string *pattern = as_string(arguments[0]), *text = as_string(arguments[1]);
  for (size_t i = start; i + pattern->length <= end; i++)
    if (memcmp(text->characters + i, pattern->characters, pattern->length * sizeof(uint32_t)) == 0)
      return make_integer(m, (int64_t)i);
  return m->no;
}

const struct primitive primitives_strings[] = {{"string?", is_it_string, 1, 1},
                                               {"make-string", make, 1, 2},
                                               {"string", of_characters, 0, ANY_COUNT},
                                               {"string-length", length, 1, 1},
                                               {"string-ref", ref, 2, 2},
                                               {"string-set!", set, 3, 3},
                                               {"string-append", append, 0, ANY_COUNT},
                                               {"string-copy", copy, 1, 3},
                                               {"substring", copy, 2, 3},
                                               {"string-copy!", copy_into, 3, 5},
                                               {"string-fill!", fill, 2, 4},
                                               {"string->list", to_list, 1, 3},
                                               {"list->string", of_list, 1, 1},
                                               {"string-upcase", upcase, 1, 1},
                                               {"string-downcase", downcase, 1, 1},
                                               {"string-foldcase", downcase, 1, 1},
                                               {"string=?", is_same, 1, ANY_COUNT},
                                               {"string<?", is_less, 1, ANY_COUNT},
                                               {"string>?", is_greater, 1, ANY_COUNT},
                                               {"string<=?", is_at_most, 1, ANY_COUNT},
                                               {"string>=?", is_at_least, 1, ANY_COUNT},
                                               {"string-ci=?", is_same_folded, 1, ANY_COUNT},
                                               {"string-ci<?", is_less_folded, 1, ANY_COUNT},
                                               {"string-search", search, 2, 4},
                                               {NULL, NULL, 0, 0}};
