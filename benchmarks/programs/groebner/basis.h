/* SPDX-License-Identifier: MIT */
/* basis.h - Buchberger's algorithm: from polynomials that generate an ideal to its reduced Groebner
 * basis.
 *
 * Invariant: every pair of elements is pending, or its S-polynomial has been reduced to 0 or to an
 * element, or a criterion shows that it would be.  When no pair is pending the elements are a
 * Groebner basis (Buchberger 1965, 1979).
 */
#ifndef GROEBNER_BASIS_H
#define GROEBNER_BASIS_H

#include "polynomial.h"

struct pair {
  struct pair *sameregion next;
  struct monomial lcm; /* of the leading monomials */
  uint32_t first, second;
};

struct basis {
  uint32_t count, capacity;
  struct term *sameregion *sameregion elements; /* primitive */
  struct pair *sameregion pairs;                /* pending, the least lcm first */
  bool *sameregion is_pending;                  /* by pair_index */
};

/* A basis without elements, in r, as is everything in it. */
struct basis *inregion(r) basis_new(region r);
void basis_release(struct basis *basis);
/* Takes p, which is primitive and in the basis' region. */
void basis_add(struct basis *basis, struct term *p);
/* Adds elements until no pair is pending. */
void basis_complete(struct basis *basis) deletes;
/* The elements of a complete basis that are needed, each reduced by the others, the least first:
   the same for every basis of the ideal.  In r. */
struct basis *basis_reduced(region r, const struct basis *basis) deletes;

#endif
