/* SPDX-License-Identifier: MIT */
/* factor.h - the prime factors of a number. */
#ifndef CFRAC_FACTOR_H
#define CFRAC_FACTOR_H

#include "bignum.h"

/* Whether n is prime: certain below 3.3e24, beyond it wrong with a probability of less than 4^-13.
 */
bool is_probably_prime(region r, const struct bignum *n);

struct factors {
  struct factors *sameregion next;
  struct bignum *sameregion prime;
};

/* The prime factors of n > 0, ascending, in r; a multiple factor several times.  Where a composite
   factor resisted all multipliers it stands there itself; that has not been seen. */
struct factors *factor(region r, const struct bignum *n) deletes;
void factors_release(struct factors *factors);

#endif
