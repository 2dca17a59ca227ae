/* SPDX-License-Identifier: MIT */
/* functions.c - what numbers are, rounding, functions of real numbers, and numbers as text. */
#include <math.h>

#include "primitives.h"
#include "text.h"

static double as_flonum(const struct object *number) {
  return is_fixnum(number) ? (double)integer_of(number) : flonum_of(number);
}

static bool is_whole(const struct object *o) {
  return is_fixnum(o) ||
         (is_flonum(o) && isfinite(flonum_of(o)) && flonum_of(o) == floor(flonum_of(o)));
}

#define PREDICATE(function, condition)                                                    \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    (void)count;                                                                          \
    const struct object *o = arguments[0];                                                \
    return make_boolean(m, condition);                                                    \
  }
PREDICATE(is_it_number, is_number(o))
PREDICATE(is_it_integer, is_whole(o))
PREDICATE(is_it_rational, is_fixnum(o) || (is_flonum(o) && isfinite(flonum_of(o))))
PREDICATE(is_it_exact_integer, is_fixnum(o))
#undef PREDICATE

#define TEST(function, name, condition)                                                   \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    (void)count;                                                                          \
    if (!is_number(arguments[0]))                                                         \
      return fail_type(m, name, "a number", arguments[0]);                                \
    double value = as_flonum(arguments[0]);                                               \
    (void)value;                                                                          \
    return make_boolean(m, condition);                                                    \
  }
TEST(is_exact, "exact?", is_fixnum(arguments[0]))
TEST(is_inexact, "inexact?", is_flonum(arguments[0]))
TEST(is_nan, "nan?", isnan(value))
TEST(is_finite, "finite?", isfinite(value))
TEST(is_infinite, "infinite?", isinf(value))
TEST(is_zero, "zero?", value == 0)
TEST(is_positive, "positive?", value > 0)
TEST(is_negative, "negative?", value < 0)
TEST(is_odd, "odd?",
     is_fixnum(arguments[0]) ? integer_of(arguments[0]) & 1 : fabs(fmod(value, 2)) == 1)
TEST(is_even, "even?",
     is_fixnum(arguments[0]) ? !(integer_of(arguments[0]) & 1) : fmod(value, 2) == 0)
#undef TEST

/* Of one number; integers stay what they are. */
#define ROUNDING(function, name, operation)                                               \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    (void)count;                                                                          \
    if (!is_number(arguments[0]))                                                         \
      return fail_type(m, name, "a number", arguments[0]);                                \
    return is_fixnum(arguments[0]) ? arguments[0]                                         \
                                   : make_flonum(m, operation(flonum_of(arguments[0])));  \
  }
ROUNDING(round_down, "floor", floor)
ROUNDING(round_up, "ceiling", ceil)
ROUNDING(round_to_zero, "truncate", trunc)
ROUNDING(round_to_even, "round", nearbyint)
#undef ROUNDING

#define FUNCTION(function, name, operation)                                               \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    (void)count;                                                                          \
    if (!is_number(arguments[0]))                                                         \
      return fail_type(m, name, "a number", arguments[0]);                                \
    return make_flonum(m, operation(as_flonum(arguments[0])));                            \
  }
FUNCTION(exponential, "exp", exp)
FUNCTION(sine, "sin", sin)
FUNCTION(cosine, "cos", cos)
FUNCTION(tangent, "tan", tan)
FUNCTION(arc_sine, "asin", asin)
FUNCTION(arc_cosine, "acos", acos)
FUNCTION(inexact, "inexact", )
#undef FUNCTION

static struct object *logarithm(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!is_number(arguments[i]))
      return fail_type(m, "log", "a number", arguments[i]);
  double value = log(as_flonum(arguments[0]));
  return make_flonum(m, count > 1 ? value / log(as_flonum(arguments[1])) : value);
}

static struct object *arc_tangent(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!is_number(arguments[i]))
      return fail_type(m, "atan", "a number", arguments[i]);
  double y = as_flonum(arguments[0]);
  return make_flonum(m, count > 1 ? atan2(y, as_flonum(arguments[1])) : atan(y));
}

static struct object *exact(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  (void)count;
  if (is_fixnum(arguments[0]))
    return arguments[0];
  if (!is_whole(arguments[0]) || flonum_of(arguments[0]) < -0x1p63 ||
      flonum_of(arguments[0]) >= 0x1p63)
    return fail_type(m, "exact", "an integer of 64 bits", arguments[0]);
  return make_integer(m, (int64_t)flonum_of(arguments[0]));
}

static int64_t integer_root(int64_t value) {
  int64_t root = (int64_t)sqrt((double)value);
  while (root > 3037000499 || root * root > value)
    root--;
  while (root < 3037000499 && (root + 1) * (root + 1) <= value)
    root++;
  return root;
}

static struct object *square_root(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  (void)count;
  if (!is_number(arguments[0]))
    return fail_type(m, "sqrt", "a number", arguments[0]);
  if (is_fixnum(arguments[0]) && integer_of(arguments[0]) >= 0) {
    int64_t root = integer_root(integer_of(arguments[0]));
    if (root * root == integer_of(arguments[0]))
      return make_integer(m, root);
  }
  return make_flonum(m, sqrt(as_flonum(arguments[0])));
}

static struct object *exact_root(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)count;
  if (!is_index(m, "exact-integer-sqrt", arguments[0], 0, INT64_MAX))
    return NULL;
  int64_t value = integer_of(arguments[0]), root = integer_root(value);
  struct slots *values = make_slots(m, KIND_VALUES, 2, NULL);
  values->items[0] = make_integer(m, root);
  values->items[1] = make_integer(m, value - root * root);
  return &values->head;
}

static struct object *power(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  (void)count;
  if (!is_number(arguments[0]) || !is_number(arguments[1]))
    return fail_type(m, "expt", "a number", is_number(arguments[0]) ? arguments[1] : arguments[0]);
  if (is_flonum(arguments[0]) || is_flonum(arguments[1]) || integer_of(arguments[1]) < 0)
    return make_flonum(m, pow(as_flonum(arguments[0]), as_flonum(arguments[1])));
  int64_t base = integer_of(arguments[0]), exponent = integer_of(arguments[1]), result = 1;
  bool is_too_large = false;
  for (bool is_base_too_large = false; exponent; exponent >>= 1) {
    if (exponent & 1)
      is_too_large |= is_base_too_large || __builtin_mul_overflow(result, base, &result);
    is_base_too_large |= __builtin_mul_overflow(base, base, &base);
  }
  return is_too_large ? fail(m, "expt: the exact result needs more than 64 bits", NULL)
                      : make_integer(m, result);
}

static struct object *number_to_string(struct machine *m, struct object *sameregion *arguments,
                                       unsigned count) {
  struct buffer buffer = {0};
  if (!is_number(arguments[0]))
    return fail_type(m, "number->string", "a number", arguments[0]);
  if (count > 1 && !is_index(m, "number->string", arguments[1], 2, 36))
    return NULL;
  print_number(&buffer, arguments[0], count > 1 ? (unsigned)integer_of(arguments[1]) : 10);
  struct object *text = buffer_string(m, &buffer);
  buffer_free(&buffer);
  return text;
}

static struct object *string_to_number(struct machine *m, struct object *sameregion *arguments,
                                       unsigned count) {
  size_t length;
  if (!is_string(arguments[0]))
    return fail_type(m, "string->number", "a string", arguments[0]);
  if (count > 1 && !is_index(m, "string->number", arguments[1], 2, 36))
    return NULL;
  char *unique text = string_utf8(as_string(arguments[0]), &length);
  if (!text)
    machine_die("out of memory");
  struct object *number =
      number_of_text(m, text, length, count > 1 ? (unsigned)integer_of(arguments[1]) : 10);
  free(text);
  return number ? number : m->no;
}

const struct primitive primitives_functions[] = {{"number?", is_it_number, 1, 1},
                                                 {"complex?", is_it_number, 1, 1},
                                                 {"real?", is_it_number, 1, 1},
                                                 {"rational?", is_it_rational, 1, 1},
                                                 {"integer?", is_it_integer, 1, 1},
                                                 {"exact-integer?", is_it_exact_integer, 1, 1},
                                                 {"exact?", is_exact, 1, 1},
                                                 {"inexact?", is_inexact, 1, 1},
                                                 {"nan?", is_nan, 1, 1},
                                                 {"finite?", is_finite, 1, 1},
                                                 {"infinite?", is_infinite, 1, 1},
                                                 {"zero?", is_zero, 1, 1},
                                                 {"positive?", is_positive, 1, 1},
                                                 {"negative?", is_negative, 1, 1},
                                                 {"odd?", is_odd, 1, 1},
                                                 {"even?", is_even, 1, 1},
                                                 {"floor", round_down, 1, 1},
                                                 {"ceiling", round_up, 1, 1},
                                                 {"truncate", round_to_zero, 1, 1},
                                                 {"round", round_to_even, 1, 1},
                                                 {"exp", exponential, 1, 1},
                                                 {"log", logarithm, 1, 2},
                                                 {"sin", sine, 1, 1},
                                                 {"cos", cosine, 1, 1},
                                                 {"tan", tangent, 1, 1},
                                                 {"asin", arc_sine, 1, 1},
                                                 {"acos", arc_cosine, 1, 1},
                                                 {"atan", arc_tangent, 1, 2},
                                                 {"sqrt", square_root, 1, 1},
                                                 {"exact-integer-sqrt", exact_root, 1, 1},
                                                 {"expt", power, 2, 2},
                                                 {"inexact", inexact, 1, 1},
                                                 {"exact->inexact", inexact, 1, 1},
                                                 {"exact", exact, 1, 1},
                                                 {"inexact->exact", exact, 1, 1},
                                                 {"number->string", number_to_string, 1, 2},
                                                 {"string->number", string_to_number, 1, 2},
                                                 {NULL, NULL, 0, 0}};
