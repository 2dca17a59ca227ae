/* SPDX-License-Identifier: MIT */
/* monomial.h - products of variables, in graded reverse lexicographic order. */
#ifndef GROEBNER_MONOMIAL_H
#define GROEBNER_MONOMIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_VARIABLES = 8 };

struct monomial {
  uint16_t degree; /* the sum of the exponents */
  uint8_t exponents[MAX_VARIABLES];
};

/* Positive, zero or negative as a is greater than, equal to or less than b. */
int monomial_compare(const struct monomial *a, const struct monomial *b);
/* Whether a divides b. */
bool monomial_divides(const struct monomial *a, const struct monomial *b);
bool monomial_is_coprime(const struct monomial *a, const struct monomial *b);
struct monomial monomial_multiply(const struct monomial *a, const struct monomial *b);
/* a / b, which b must divide. */
struct monomial monomial_divide(const struct monomial *a, const struct monomial *b);
struct monomial monomial_lcm(const struct monomial *a, const struct monomial *b);

#endif
