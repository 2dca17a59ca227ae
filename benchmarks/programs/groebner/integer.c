/* SPDX-License-Identifier: MIT */
#include "integer.h"

#include <string.h>

#include "digits.h"

enum { DECIMAL_GROUP = 1000000000, DECIMAL_GROUP_DIGITS = 9 };

static struct integer *allocate(region r, size_t length) {
  struct integer *a = NEW(r, struct integer);
  a->digits = NEW_NUMBERS(r, length, uint32_t);
  return a;
}

/* Sets sign and length of a number of at most length digits. */
static struct integer *finish(struct integer *a, size_t length, bool is_negative) {
  a->length = (uint32_t)digits_length(a->digits, length);
  a->is_negative = is_negative && a->length > 0;
  return a;
}

struct integer *inregion(r) integer_new(region r, int32_t value) {
  struct integer *a = allocate(r, 1);
  a->digits[0] = value < 0 ? -(uint32_t)value : (uint32_t)value;
  return finish(a, 1, value < 0);
}

static struct integer *copy_with_sign(region r, const struct integer *a, bool is_negative) {
  struct integer *copy = allocate(r, a->length);
  memcpy(copy->digits, a->digits, a->length * sizeof *a->digits);
  return finish(copy, a->length, is_negative);
}

struct integer *inregion(r) integer_copy(region r, const struct integer *a) {
  return copy_with_sign(r, a, a->is_negative);
}

struct integer *inregion(r) integer_negate(region r, const struct integer *a) {
  return copy_with_sign(r, a, !a->is_negative);
}

void integer_release(struct integer *a) {
  if (!IS_RELEASE_NEEDED)
    return;
  RELEASE(a->digits);
  RELEASE(a);
}

bool integer_is_zero(const struct integer *a) { return a->length == 0; }

bool integer_is_one(const struct integer *a) {
  return a->length == 1 && a->digits[0] == 1 && !a->is_negative;
}

struct integer *inregion(r) integer_multiply(region r, const struct integer *a,
                                             const struct integer *b) {
  struct integer *product = allocate(r, a->length + b->length);
  digits_multiply(product->digits, a->digits, a->length, b->digits, b->length);
  return finish(product, a->length + b->length, a->is_negative != b->is_negative);
}

struct integer *inregion(r) integer_add(region r, const struct integer *a,
                                        const struct integer *b) {
  if (digits_compare(a->digits, a->length, b->digits, b->length) < 0)
    return integer_add(r, b, a);
  if (a->is_negative != b->is_negative) {
    struct integer *difference = allocate(r, a->length);
    digits_subtract(difference->digits, a->digits, a->length, b->digits, b->length);
    return finish(difference, a->length, a->is_negative);
  }
  struct integer *sum = allocate(r, a->length + 1);
  sum->digits[a->length] = digits_add(sum->digits, a->digits, a->length, b->digits, b->length);
  return finish(sum, a->length + 1, a->is_negative);
}

struct integer *inregion(r) integer_divide_exactly(region r, const struct integer *a,
                                                   const struct integer *b) {
  size_t length = a->length < b->length ? 0 : a->length - b->length + 1;
  struct integer *quotient = allocate(r, length);
  if (b->length == 1) {
    digits_divide_small(quotient->digits, a->digits, a->length, b->digits[0]);
  } else if (length > 0) {
    uint32_t *dividend = NEW_NUMBERS(r, a->length + 1, uint32_t);
    memcpy(dividend, a->digits, a->length * sizeof *dividend);
    digits_divide(quotient->digits, dividend, a->length, b->digits, b->length);
    RELEASE(dividend);
  }
  return finish(quotient, length, a->is_negative != b->is_negative);
}

static uint64_t small_value(const struct integer *a) {
  return a->length > 1 ? (uint64_t)a->digits[1] << 32 | a->digits[0] : a->digits[0];
}

static struct integer *gcd_small(region r, uint64_t a, uint64_t b) {
  while (b > 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  struct integer *gcd = allocate(r, 2);
  gcd->digits[0] = (uint32_t)a;
  gcd->digits[1] = (uint32_t)(a >> 32);
  return finish(gcd, 2, false);
}

struct integer *inregion(r) integer_gcd(region r, const struct integer *a,
                                        const struct integer *b) {
  if (a->length <= 2 && b->length <= 2)
    return gcd_small(r, small_value(a), small_value(b));
  if (a->length < b->length)
    return integer_gcd(r, b, a);
  size_t size = a->length + 1, high_length = a->length, low_length = b->length;
  uint32_t *high = NEW_NUMBERS(r, size, uint32_t), *low = NEW_NUMBERS(r, size, uint32_t);
  uint32_t *quotient = NEW_NUMBERS(r, size, uint32_t);
  memcpy(high, a->digits, high_length * sizeof *high);
  memcpy(low, b->digits, low_length * sizeof *low);
  while (low_length > 0) {
    if (high_length >= low_length)
      digits_divide(quotient, high, high_length, low, low_length);
    size_t rest_length = digits_length(high, high_length);
    uint32_t *rest = high;
    high = low;
    high_length = low_length;
    low = rest;
    low_length = rest_length;
  }
  struct integer *gcd = allocate(r, high_length);
  memcpy(gcd->digits, high, high_length * sizeof *high);
  RELEASE(high);
  RELEASE(low);
  RELEASE(quotient);
  return finish(gcd, high_length, false);
}

char *inregion(r) integer_to_decimal(region r, const struct integer *a) {
  size_t size = (size_t)a->length * 10 + 3, at = size - 1, length = a->length;
  char *text = NEW_NUMBERS(r, size, char);
  uint32_t *rest = NEW_NUMBERS(r, length, uint32_t);
  memcpy(rest, a->digits, length * sizeof *rest);
  text[at] = '\0';
  do {
    uint32_t group = digits_divide_small(rest, rest, length, DECIMAL_GROUP);
    length = digits_length(rest, length);
    for (int i = 0; i < DECIMAL_GROUP_DIGITS && (length > 0 || group > 0 || at == size - 1);
         i++, group /= 10)
      text[--at] = (char)('0' + group % 10);
  } while (length > 0);
  if (a->is_negative)
    text[--at] = '-';
  RELEASE(rest);
  memmove(text, text + at, size - at);
  return text;
}
