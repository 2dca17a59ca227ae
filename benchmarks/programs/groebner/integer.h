/* SPDX-License-Identifier: MIT */
/* integer.h - integers of any size: a head, and its digits in the same region.
 *
 * A number does not change once it is made.  Functions that make one allocate it in region r; who
 * asked for it owns it.
 */
#ifndef GROEBNER_INTEGER_H
#define GROEBNER_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

struct integer {
  bool is_negative;            /* false for 0 */
  uint32_t length;             /* without leading zeros: 0 for 0 */
  uint32_t *sameregion digits; /* the lowest first */
};

struct integer *inregion(r) integer_new(region r, int32_t value);
struct integer *inregion(r) integer_copy(region r, const struct integer *a);
void integer_release(struct integer *a);

bool integer_is_zero(const struct integer *a);
bool integer_is_one(const struct integer *a);

struct integer *inregion(r) integer_multiply(region r, const struct integer *a,
                                             const struct integer *b);
struct integer *inregion(r) integer_add(region r, const struct integer *a, const struct integer *b);
struct integer *inregion(r) integer_negate(region r, const struct integer *a);
/* a / b, which must leave no remainder. */
struct integer *inregion(r) integer_divide_exactly(region r, const struct integer *a,
                                                   const struct integer *b);
/* The greatest common divisor, positive; a and b are not 0. */
struct integer *inregion(r) integer_gcd(region r, const struct integer *a, const struct integer *b);

/* The decimal form, with a minus sign if need be.  The caller owns the string. */
char *inregion(r) integer_to_decimal(region r, const struct integer *a);

#endif
