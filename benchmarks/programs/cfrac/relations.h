/* SPDX-License-Identifier: MIT */
/* relations.h - residues that factor over the base, and the products of them that are squares.
 *
 * A relation says  a^2 = (-1)^e0 p1^e1 p2^e2 ...  modulo n.  Gaussian elimination over GF(2) runs
 * as relations arrive: each one's parity vector is reduced by the pivots before it; what is then
 * zero names relations whose product is a square on both sides.
 */
#ifndef CFRAC_RELATIONS_H
#define CFRAC_RELATIONS_H

#include "base.h"

struct relation {
  struct bignum *sameregion a;
  uint8_t *sameregion exponents; /* of -1, then of the base's primes */
  uint64_t *sameregion parities; /* reduced: a bit for each exponent */
  uint64_t *sameregion history;  /* the relations whose product has these parities, by number */
};

struct relations {
  struct base *sameregion base;
  uint32_t count, capacity;
  struct relation *sameregion *sameregion all;
  struct relation *sameregion
  *sameregion pivots; /* by the lowest odd exponent, null where there is none yet */
};

struct relations *inregion(r) relations_new(region r, struct base *base);
void relations_release(struct relations *relations);
bool relations_is_full(const struct relations *relations);

/* Sets exponents of 1 + prime_count elements.  False if q has a prime factor outside the base, or
   leaves so large a rest that it likely has one. */
bool relations_factor(region r, const struct base *base, const struct bignum *q, bool is_negative,
                      uint8_t *exponents);

/* Adds a relation, copying what it consists of; there must be room.  If that completes a square,
   and the square yields a factor of n, the factor is returned, in r; else null. */
struct bignum *inregion(r) relations_add(region r, struct relations *relations,
                                         const struct bignum *n, const struct bignum *a,
                                         const uint8_t *exponents);

#endif
