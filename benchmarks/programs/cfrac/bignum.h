/* SPDX-License-Identifier: MIT */
/* bignum.h - natural numbers of any size, each an object of its own.
 *
 * A number does not change once it is made.  Every function that makes one allocates it in region
 * r; who asked for it owns it, and releases it where memory is released one by one.  A result given
 * back by reference is assigned: what the variable held before is released, so the variable must
 * hold a number that it owns, or null.
 */
#ifndef CFRAC_BIGNUM_H
#define CFRAC_BIGNUM_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

struct bignum {
  uint32_t length;   /* without leading zeros: 0 for the number 0 */
  uint32_t digits[]; /* the lowest first */
};

struct bignum *inregion(r) bignum_from_number(region r, uint64_t value);
/* Null if text is not a decimal number. */
struct bignum *inregion(r) bignum_from_decimal(region r, const char *text);
struct bignum *inregion(r) bignum_copy(region r, const struct bignum *u);
/* The caller owns the string. */
char *inregion(r) bignum_to_decimal(region r, const struct bignum *u);

/* Releases *to, then sets it. */
void bignum_assign(struct bignum **to, struct bignum *value);

int bignum_compare(const struct bignum *u, const struct bignum *v);
bool bignum_is(const struct bignum *u, uint32_t value);
bool bignum_is_odd(const struct bignum *u);
unsigned bignum_bit_count(const struct bignum *u);
double bignum_to_double(const struct bignum *u);

struct bignum *inregion(r) bignum_add(region r, const struct bignum *u, const struct bignum *v);
/* u - v, which may not be negative. */
struct bignum *inregion(r) bignum_subtract(region r, const struct bignum *u,
                                           const struct bignum *v);
struct bignum *inregion(r) bignum_multiply(region r, const struct bignum *u,
                                           const struct bignum *v);
/* quotient or remainder may be null.  v may not be 0. */
void bignum_divide(region r, const struct bignum *u, const struct bignum *v,
                   struct bignum **quotient, struct bignum **remainder);
/* Returns the remainder. */
uint32_t bignum_divide_small(region r, const struct bignum *u, uint32_t v,
                             struct bignum **quotient);
uint32_t bignum_modulo_small(const struct bignum *u, uint32_t v);

struct bignum *inregion(r) bignum_modulo_multiply(region r, const struct bignum *u,
                                                  const struct bignum *v,
                                                  const struct bignum *modulus);
struct bignum *inregion(r) bignum_modulo_power(region r, const struct bignum *base,
                                               const struct bignum *exponent,
                                               const struct bignum *modulus);
struct bignum *inregion(r) bignum_gcd(region r, const struct bignum *u, const struct bignum *v);
/* The integer part of the root of u > 0 of the given degree, at least 2. */
struct bignum *inregion(r) bignum_root(region r, const struct bignum *u, uint32_t degree);

#endif
