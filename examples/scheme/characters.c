/* SPDX-License-Identifier: MIT */
/* characters.c - characters are numbers of Unicode; case and classes are what the C library says of
 * them. */
#include <wctype.h>

#include "primitives.h"

static bool is_character(const struct object *o) { return is_kind(o, KIND_CHARACTER); }

static bool are_characters(struct machine *m, const char *name,
                           struct object *sameregion *arguments, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!is_character(arguments[i])) {
      fail_type(m, name, "a character", arguments[i]);
      return false;
    }
  return true;
}

static struct object *is_it_character(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  return make_boolean(m, is_character(arguments[0]));
}

static struct object *char_to_integer(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  return are_characters(m, "char->integer", arguments, count)
             ? make_integer(m, integer_of(arguments[0]))
             : NULL;
}

static struct object *integer_to_char(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  if (!is_index(m, "integer->char", arguments[0], 0, 0x10FFFF))
    return NULL;
  int64_t code = integer_of(arguments[0]);
  return code >= 0xD800 && code < 0xE000
             ? fail_type(m, "integer->char", "a character's number", arguments[0])
             : make_character(m, (uint32_t)code);
}

static struct object *upcase(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  return are_characters(m, "char-upcase", arguments, count)
             ? make_character(m, (uint32_t)towupper((wint_t)integer_of(arguments[0])))
             : NULL;
}

static struct object *downcase(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  return are_characters(m, "char-downcase", arguments, count)
             ? make_character(m, (uint32_t)towlower((wint_t)integer_of(arguments[0])))
             : NULL;
}

#define CLASS(function, name, test)                                                       \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    return are_characters(m, name, arguments, count)                                      \
               ? make_boolean(m, test((wint_t)integer_of(arguments[0])) != 0)             \
               : NULL;                                                                    \
  }
CLASS(is_alphabetic, "char-alphabetic?", iswalpha)
CLASS(is_numeric, "char-numeric?", iswdigit)
CLASS(is_whitespace, "char-whitespace?", iswspace)
CLASS(is_upper, "char-upper-case?", iswupper)
CLASS(is_lower, "char-lower-case?", iswlower)
#undef CLASS

static struct object *digit_value(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  if (!are_characters(m, "digit-value", arguments, count))
    return NULL;
  int64_t code = integer_of(arguments[0]);
  return code >= '0' && code <= '9' ? make_integer(m, code - '0') : m->no;
}

static int64_t folded(const struct object *character, bool is_folded) {
  return is_folded ? (int64_t)towlower((wint_t)integer_of(character)) : integer_of(character);
}

#define COMPARISON(function, name, is_folded, operator)                                          \
  static struct object *function(struct machine *m, struct object *sameregion *arguments,        \
                                 unsigned count) {                                               \
    bool is_so = true;                                                                           \
    if (!are_characters(m, name, arguments, count))                                              \
      return NULL;                                                                               \
    for (unsigned i = 1; i < count; i++)                                                         \
      is_so =                                                                                    \
          is_so && folded(arguments[i - 1], is_folded) operator folded(arguments[i], is_folded); \
    return make_boolean(m, is_so);                                                               \
  }
COMPARISON(is_same, "char=?", false, ==)
COMPARISON(is_less, "char<?", false, <)
COMPARISON(is_greater, "char>?", false, >)
COMPARISON(is_at_most, "char<=?", false, <=)
COMPARISON(is_at_least, "char>=?", false, >=)
COMPARISON(is_same_folded, "char-ci=?", true, ==)
COMPARISON(is_less_folded, "char-ci<?", true, <)
#undef COMPARISON

const struct primitive primitives_characters[] = {{"char?", is_it_character, 1, 1},
                                                  {"char->integer", char_to_integer, 1, 1},
                                                  {"integer->char", integer_to_char, 1, 1},
                                                  {"char-upcase", upcase, 1, 1},
                                                  {"char-downcase", downcase, 1, 1},
                                                  {"char-foldcase", downcase, 1, 1},
                                                  {"char-alphabetic?", is_alphabetic, 1, 1},
                                                  {"char-numeric?", is_numeric, 1, 1},
                                                  {"char-whitespace?", is_whitespace, 1, 1},
                                                  {"char-upper-case?", is_upper, 1, 1},
                                                  {"char-lower-case?", is_lower, 1, 1},
                                                  {"digit-value", digit_value, 1, 1},
                                                  {"char=?", is_same, 1, ANY_COUNT},
                                                  {"char<?", is_less, 1, ANY_COUNT},
                                                  {"char>?", is_greater, 1, ANY_COUNT},
                                                  {"char<=?", is_at_most, 1, ANY_COUNT},
                                                  {"char>=?", is_at_least, 1, ANY_COUNT},
                                                  {"char-ci=?", is_same_folded, 1, ANY_COUNT},
                                                  {"char-ci<?", is_less_folded, 1, ANY_COUNT},
                                                  {NULL, NULL, 0, 0}};
