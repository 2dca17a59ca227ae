/* SPDX-License-Identifier: MIT */
/* numbers.c - arithmetic.  Exact numbers are integers of 64 bits, and a result that does not fit is
   an error: nothing becomes inexact by itself, but for a division with a remainder. */
#include <math.h>
#include <stdio.h>

#include "primitives.h"

static struct object *overflow(struct machine *m, const char *name) {
  char message[80];
  snprintf(message, sizeof message, "%s: the exact result needs more than 64 bits", name);
  return fail(m, message, NULL);
}

static double as_flonum(const struct object *number) {
  return is_fixnum(number) ? (double)integer_of(number) : flonum_of(number);
}

static bool are_numbers(struct machine *m, const char *name, struct object *sameregion *arguments,
                        unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!is_number(arguments[i])) {
      fail_type(m, name, "a number", arguments[i]);
      return false;
    }
  return true;
}

enum operation { OPERATION_ADD, OPERATION_SUBTRACT, OPERATION_MULTIPLY };

static bool is_overflow(enum operation operation, int64_t a, int64_t b, int64_t *result) {
  switch (operation) {
  case OPERATION_ADD:
    return __builtin_add_overflow(a, b, result);
  case OPERATION_SUBTRACT:
    return __builtin_sub_overflow(a, b, result);
  default:
    return __builtin_mul_overflow(a, b, result);
  }
}

static double operate(enum operation operation, double a, double b) {
  return operation == OPERATION_ADD ? a + b : operation == OPERATION_SUBTRACT ? a - b : a * b;
}

static struct object *fold(struct machine *m, const char *name, enum operation operation,
                           int64_t start, struct object *sameregion *arguments, unsigned count) {
  if (!are_numbers(m, name, arguments, count))
    return NULL;
  int64_t exact = start;
  unsigned i = 0;
  for (; i < count && is_fixnum(arguments[i]); i++)
    if (is_overflow(operation, exact, integer_of(arguments[i]), &exact))
      return overflow(m, name);
  if (i == count)
    return make_integer(m, exact);
  double inexact = (double)exact;
  for (; i < count; i++)
    inexact = operate(operation, inexact, as_flonum(arguments[i]));
  return make_flonum(m, inexact);
}

static struct object *add(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  return fold(m, "+", OPERATION_ADD, 0, arguments, count);
}

static struct object *multiply(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  return fold(m, "*", OPERATION_MULTIPLY, 1, arguments, count);
}

static struct object *subtract(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  if (count == 1 || (is_number(arguments[0]) && !is_fixnum(arguments[0]))) {
    if (!are_numbers(m, "-", arguments, count))
      return NULL;
    if (is_fixnum(arguments[0]))
      return fold(m, "-", OPERATION_SUBTRACT, 0, arguments, 1);
    double value = flonum_of(arguments[0]);
    for (unsigned i = 1; i < count; i++)
      value -= as_flonum(arguments[i]);
    return make_flonum(m, count == 1 ? -value : value);
  }
  if (!are_numbers(m, "-", arguments, 1))
    return NULL;
  return fold(m, "-", OPERATION_SUBTRACT, integer_of(arguments[0]), arguments + 1, count - 1);
}

static struct object *divide_two(struct machine *m, struct object *a, struct object *b) {
  if (is_fixnum(b) && integer_of(b) == 0)
    return fail(m, "/: division by zero", NULL);
  if (is_fixnum(a) && is_fixnum(b)) {
    if (integer_of(b) == -1)
      return integer_of(a) == INT64_MIN ? overflow(m, "/") : make_integer(m, -integer_of(a));
    if (integer_of(a) % integer_of(b) == 0)
      return make_integer(m, integer_of(a) / integer_of(b));
  }
  return make_flonum(m, as_flonum(a) / as_flonum(b));
}

static struct object *divide(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  if (!are_numbers(m, "/", arguments, count))
    return NULL;
  struct object *result =
      count == 1 ? divide_two(m, make_integer(m, 1), arguments[0]) : arguments[0];
  for (unsigned i = 1; i < count && result; i++)
    result = divide_two(m, result, arguments[i]);
  return result;
}

/* -1, 0, 1; 2 if one is no number. */
static int compare(const struct object *a, const struct object *b) {
  if (is_fixnum(a) && is_fixnum(b))
    return (integer_of(a) > integer_of(b)) - (integer_of(a) < integer_of(b));
  double first = as_flonum(a), second = as_flonum(b);
  return first < second ? -1 : first > second ? 1 : first == second ? 0 : 2;
}

#define COMPARISON(function, name, condition)                                             \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    bool is_so = true;                                                                    \
    if (!are_numbers(m, name, arguments, count))                                          \
      return NULL;                                                                        \
    for (unsigned i = 1; i < count && is_so; i++) {                                       \
      int order = compare(arguments[i - 1], arguments[i]);                                \
      is_so = condition;                                                                  \
    }                                                                                     \
    return make_boolean(m, is_so);                                                        \
  }
COMPARISON(is_same, "=", order == 0)
COMPARISON(is_less, "<", order == -1)
COMPARISON(is_greater, ">", order == 1)
COMPARISON(is_at_most, "<=", order == -1 || order == 0)
COMPARISON(is_at_least, ">=", order == 1 || order == 0)
#undef COMPARISON

static struct object *extreme(struct machine *m, const char *name, int wanted,
                              struct object *sameregion *arguments, unsigned count) {
  if (!are_numbers(m, name, arguments, count))
    return NULL;
  struct object *best = arguments[0];
  bool is_inexact = is_flonum(best);
  for (unsigned i = 1; i < count; i++) {
    is_inexact |= is_flonum(arguments[i]);
    if (compare(arguments[i], best) == wanted || compare(arguments[i], arguments[i]) == 2)
      best = arguments[i];
  }
  return is_inexact && is_fixnum(best) ? make_flonum(m, as_flonum(best)) : best;
}

static struct object *maximum(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  return extreme(m, "max", 1, arguments, count);
}

static struct object *minimum(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  return extreme(m, "min", -1, arguments, count);
}

enum part { PART_QUOTIENT, PART_REMAINDER, PART_MODULO, PART_FLOOR_QUOTIENT };

static struct object *integer_part(struct machine *m, const char *name, enum part part, int64_t a,
                                   int64_t b) {
  if (b == 0)
    return fail_type(m, name, "a divisor other than zero", make_integer(m, b));
  if (b == -1)
    return part == PART_REMAINDER || part == PART_MODULO ? make_integer(m, 0)
           : a == INT64_MIN                              ? overflow(m, name)
                                                         : make_integer(m, -a);
  int64_t quotient = a / b, rest = a % b;
  bool is_down = rest && (rest < 0) != (b < 0);
  switch (part) {
  case PART_QUOTIENT:
    return make_integer(m, quotient);
  case PART_REMAINDER:
    return make_integer(m, rest);
  case PART_MODULO:
    return make_integer(m, is_down ? rest + b : rest);
  default:
    return make_integer(m, is_down ? quotient - 1 : quotient);
  }
}

static bool is_whole(const struct object *number) {
  return is_fixnum(number) || (is_flonum(number) && flonum_of(number) == floor(flonum_of(number)) &&
                               isfinite(flonum_of(number)));
}

static struct object *division(struct machine *m, const char *name, enum part part,
                               struct object *sameregion *arguments) {
  for (unsigned i = 0; i < 2; i++)
    if (!is_whole(arguments[i]))
      return fail_type(m, name, "an integer", arguments[i]);
  if (is_fixnum(arguments[0]) && is_fixnum(arguments[1]))
    return integer_part(m, name, part, integer_of(arguments[0]), integer_of(arguments[1]));
  double a = as_flonum(arguments[0]), b = as_flonum(arguments[1]);
  if (b == 0)
    return fail_type(m, name, "a divisor other than zero", arguments[1]);
  if (part == PART_QUOTIENT || part == PART_FLOOR_QUOTIENT)
    return make_flonum(m, part == PART_QUOTIENT ? trunc(a / b) : floor(a / b));
  double rest = fmod(a, b);
  return make_flonum(m,
                     part == PART_MODULO && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

#define DIVISION(function, name, part)                                                    \
  static struct object *function(struct machine *m, struct object *sameregion *arguments, \
                                 unsigned count) {                                        \
    (void)count;                                                                          \
    return division(m, name, part, arguments);                                            \
  }
DIVISION(quotient, "quotient", PART_QUOTIENT)
DIVISION(remainder_of, "remainder", PART_REMAINDER)
DIVISION(modulo, "modulo", PART_MODULO)
DIVISION(floor_quotient, "floor-quotient", PART_FLOOR_QUOTIENT)
#undef DIVISION

static struct object *gcd(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  uint64_t result = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!is_fixnum(arguments[i]))
      return fail_type(m, "gcd", "an exact integer", arguments[i]);
    int64_t value = integer_of(arguments[i]);
    uint64_t other = value < 0 ? -(uint64_t)value : (uint64_t)value;
    while (other) {
      uint64_t rest = result % other;
      result = other;
      other = rest;
    }
  }
  return result > INT64_MAX ? overflow(m, "gcd") : make_integer(m, (int64_t)result);
}

/* and, or, exclusive or */
static struct object *bits(struct machine *m, const char *name, char operation,
                           struct object *sameregion *arguments, unsigned count) {
  int64_t result = operation == '&' ? -1 : 0;
  for (unsigned i = 0; i < count; i++) {
    if (!is_fixnum(arguments[i]))
      return fail_type(m, name, "an exact integer", arguments[i]);
    int64_t value = integer_of(arguments[i]);
    result = operation == '&' ? result & value : operation == '|' ? result | value : result ^ value;
  }
  return make_integer(m, result);
}

static struct object *bit_and(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  return bits(m, "bitwise-and", '&', arguments, count);
}

static struct object *bit_or(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  return bits(m, "bitwise-ior", '|', arguments, count);
}

static struct object *bit_xor(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  return bits(m, "bitwise-xor", '^', arguments, count);
}

static struct object *shift(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  (void)count;
  int64_t result;
  if (!is_index(m, "arithmetic-shift", arguments[0], INT64_MIN, INT64_MAX) ||
      !is_index(m, "arithmetic-shift", arguments[1], -63, 62))
    return NULL;
  int64_t value = integer_of(arguments[0]), distance = integer_of(arguments[1]);
  if (distance < 0)
    return make_integer(m, value >> -distance);
  return __builtin_mul_overflow(value, (int64_t)1 << distance, &result)
             ? overflow(m, "arithmetic-shift")
             : make_integer(m, result);
}

const struct primitive primitives_numbers[] = {{"+", add, 0, ANY_COUNT},
                                               {"*", multiply, 0, ANY_COUNT},
                                               {"-", subtract, 1, ANY_COUNT},
                                               {"/", divide, 1, ANY_COUNT},
                                               {"=", is_same, 1, ANY_COUNT},
                                               {"<", is_less, 1, ANY_COUNT},
                                               {">", is_greater, 1, ANY_COUNT},
                                               {"<=", is_at_most, 1, ANY_COUNT},
                                               {">=", is_at_least, 1, ANY_COUNT},
                                               {"max", maximum, 1, ANY_COUNT},
                                               {"min", minimum, 1, ANY_COUNT},
                                               {"quotient", quotient, 2, 2},
                                               {"truncate-quotient", quotient, 2, 2},
                                               {"remainder", remainder_of, 2, 2},
                                               {"truncate-remainder", remainder_of, 2, 2},
                                               {"modulo", modulo, 2, 2},
                                               {"floor-remainder", modulo, 2, 2},
                                               {"floor-quotient", floor_quotient, 2, 2},
                                               {"gcd", gcd, 0, ANY_COUNT},
                                               {"bitwise-and", bit_and, 0, ANY_COUNT},
                                               {"bitwise-ior", bit_or, 0, ANY_COUNT},
                                               {"bitwise-xor", bit_xor, 0, ANY_COUNT},
                                               {"arithmetic-shift", shift, 2, 2},
                                               {NULL, NULL, 0, 0}};
