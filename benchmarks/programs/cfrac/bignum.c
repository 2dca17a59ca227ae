/* SPDX-License-Identifier: MIT */
#include "bignum.h"

#include <stdlib.h>
#include <string.h>

#include "digits.h"

enum { DECIMAL_GROUP = 1000000000, DECIMAL_GROUP_DIGITS = 9 };

static struct bignum *allocate(region r, size_t length) {
  return (struct bignum *)NEW_NUMBERS(r, 1 + length, uint32_t);
}

/* Sets the length of a number of at most length digits. */
static struct bignum *finish(struct bignum *u, size_t length) {
  u->length = (uint32_t)digits_length(u->digits, length);
  return u;
}

struct bignum *inregion(r) bignum_from_number(region r, uint64_t value) {
  struct bignum *u = allocate(r, 2);
  u->digits[0] = (uint32_t)value;
  u->digits[1] = (uint32_t)(value >> 32);
  return finish(u, 2);
}

struct bignum *inregion(r) bignum_from_decimal(region r, const char *text) {
  size_t count = strspn(text, "0123456789");
  if (count == 0 || text[count])
    return NULL;
  struct bignum *u = allocate(r, count / DECIMAL_GROUP_DIGITS + 1);
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t carry = (uint64_t)(text[i] - '0');
    for (size_t j = 0; j < length; j++) {
      carry += (uint64_t)u->digits[j] * 10;
      u->digits[j] = (uint32_t)carry;
      carry >>= 32;
    }
    if (carry)
      u->digits[length++] = (uint32_t)carry;
  }
  return finish(u, length);
}

struct bignum *inregion(r) bignum_copy(region r, const struct bignum *u) {
  struct bignum *copy = allocate(r, u->length);
  memcpy(copy->digits, u->digits, u->length * sizeof *u->digits);
  return finish(copy, u->length);
}

char *inregion(r) bignum_to_decimal(region r, const struct bignum *u) {
  size_t size = (size_t)u->length * 10 + 2, at = size - 1;
  char *text = NEW_NUMBERS(r, size, char);
  struct bignum *rest = bignum_copy(r, u);
  text[at] = '\0';
  do {
    uint32_t group = bignum_divide_small(r, rest, DECIMAL_GROUP, &rest);
    bool is_first = rest->length == 0;
    for (int i = 0; i < DECIMAL_GROUP_DIGITS && (!is_first || group > 0 || at == size - 1);
         i++, group /= 10)
      text[--at] = (char)('0' + group % 10);
  } while (rest->length > 0);
  RELEASE(rest);
  memmove(text, text + at, size - at);
  return text;
}

void bignum_assign(struct bignum **to, struct bignum *value) {
  RELEASE(*to);
  *to = value;
}

int bignum_compare(const struct bignum *u, const struct bignum *v) {
  return digits_compare(u->digits, u->length, v->digits, v->length);
}

bool bignum_is(const struct bignum *u, uint32_t value) {
  return value == 0 ? u->length == 0 : u->length == 1 && u->digits[0] == value;
}

bool bignum_is_odd(const struct bignum *u) { return u->length > 0 && u->digits[0] & 1; }

unsigned bignum_bit_count(const struct bignum *u) {
  return u->length == 0 ? 0 : 32 * u->length - (unsigned)__builtin_clz(u->digits[u->length - 1]);
}

double bignum_to_double(const struct bignum *u) {
  double value = 0;
  for (size_t i = u->length; i-- > 0;)
    value = value * 4294967296.0 + u->digits[i];
  return value;
}

struct bignum *inregion(r) bignum_add(region r, const struct bignum *u, const struct bignum *v) {
  if (u->length < v->length)
    return bignum_add(r, v, u);
  struct bignum *sum = allocate(r, u->length + 1);
  sum->digits[u->length] = digits_add(sum->digits, u->digits, u->length, v->digits, v->length);
  return finish(sum, u->length + 1);
}

struct bignum *inregion(r) bignum_subtract(region r, const struct bignum *u,
                                           const struct bignum *v) {
  struct bignum *difference = allocate(r, u->length);
  digits_subtract(difference->digits, u->digits, u->length, v->digits, v->length);
  return finish(difference, u->length);
}

struct bignum *inregion(r) bignum_multiply(region r, const struct bignum *u,
                                           const struct bignum *v) {
  struct bignum *product = allocate(r, u->length + v->length);
  digits_multiply(product->digits, u->digits, u->length, v->digits, v->length);
  return finish(product, u->length + v->length);
}

void bignum_divide(region r, const struct bignum *u, const struct bignum *v,
                   struct bignum **quotient, struct bignum **remainder) {
  bool is_less = bignum_compare(u, v) < 0;
  size_t quotient_length = is_less ? 0 : u->length - v->length + 1;
  struct bignum *q = allocate(r, quotient_length), *rest = allocate(r, u->length + 1);
  memcpy(rest->digits, u->digits, u->length * sizeof *u->digits);
  if (!is_less)
    digits_divide(q->digits, rest->digits, u->length, v->digits, v->length);
  finish(q, quotient_length);
  finish(rest, u->length);
  if (quotient)
    bignum_assign(quotient, q);
  else
    RELEASE(q);
  if (remainder)
    bignum_assign(remainder, rest);
  else
    RELEASE(rest);
}

uint32_t bignum_divide_small(region r, const struct bignum *u, uint32_t v,
                             struct bignum **quotient) {
  struct bignum *q = allocate(r, u->length);
  uint32_t remainder = digits_divide_small(q->digits, u->digits, u->length, v);
  bignum_assign(quotient, finish(q, u->length));
  return remainder;
}

uint32_t bignum_modulo_small(const struct bignum *u, uint32_t v) {
  uint64_t rest = 0;
  for (size_t i = u->length; i-- > 0;)
    rest = (rest << 32 | u->digits[i]) % v;
  return (uint32_t)rest;
}

struct bignum *inregion(r) bignum_modulo_multiply(region r, const struct bignum *u,
                                                  const struct bignum *v,
                                                  const struct bignum *modulus) {
  struct bignum *product = bignum_multiply(r, u, v);
  bignum_divide(r, product, modulus, NULL, &product);
  return product;
}

struct bignum *inregion(r) bignum_modulo_power(region r, const struct bignum *base,
                                               const struct bignum *exponent,
                                               const struct bignum *modulus) {
  struct bignum *power = bignum_from_number(r, 1);
  for (unsigned bit = bignum_bit_count(exponent); bit-- > 0;) {
    bignum_assign(&power, bignum_modulo_multiply(r, power, power, modulus));
    if (exponent->digits[bit / 32] >> bit % 32 & 1)
      bignum_assign(&power, bignum_modulo_multiply(r, power, base, modulus));
  }
  return power;
}

struct bignum *inregion(r) bignum_gcd(region r, const struct bignum *u, const struct bignum *v) {
  struct bignum *a = bignum_copy(r, u), *b = bignum_copy(r, v);
  while (b->length > 0) {
    struct bignum *rest = NULL;
    bignum_divide(r, a, b, NULL, &rest);
    bignum_assign(&a, b);
    b = rest;
  }
  RELEASE(b);
  return a;
}

static struct bignum *power_small(region r, const struct bignum *u, uint32_t exponent) {
  struct bignum *power = bignum_from_number(r, 1);
  while (exponent-- > 0)
    bignum_assign(&power, bignum_multiply(r, power, u));
  return power;
}

/* Newton's iteration from above: x = ((degree - 1) x + u / x^(degree-1)) / degree falls until it is
 * the root. */
struct bignum *inregion(r) bignum_root(region r, const struct bignum *u, uint32_t degree) {
  struct bignum *two = bignum_from_number(r, 2), *factor = bignum_from_number(r, degree - 1);
  struct bignum *x = power_small(r, two, bignum_bit_count(u) / degree + 1);
  for (;;) {
    struct bignum *power = power_small(r, x, degree - 1), *next = NULL,
                  *weighted = bignum_multiply(r, x, factor);
    bignum_divide(r, u, power, &next, NULL);
    bignum_assign(&next, bignum_add(r, next, weighted));
    bignum_divide_small(r, next, degree, &next);
    RELEASE(power);
    RELEASE(weighted);
    bool is_found = bignum_compare(next, x) >= 0;
    if (is_found) {
      RELEASE(next);
      break;
    }
    bignum_assign(&x, next);
  }
  RELEASE(two);
  RELEASE(factor);
  return x;
}
