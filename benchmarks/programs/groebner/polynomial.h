/* SPDX-License-Identifier: MIT */
/* polynomial.h - polynomials with integer coefficients.
 *
 * A polynomial is the list of its terms, the greatest monomial first, no coefficient 0; null is 0.
 * A list lies in one region.  Over the rationals a polynomial stands for its multiples, so integers
 * suffice: it is primitive if its coefficients have no common divisor and the first is positive.
 */
#ifndef GROEBNER_POLYNOMIAL_H
#define GROEBNER_POLYNOMIAL_H

#include "integer.h"
#include "monomial.h"

struct term {
  struct term *sameregion next;
  struct integer *sameregion coefficient;
  struct monomial monomial;
};

/* These return polynomials in r.  A function that consumes p needs p in r, and makes it part of the
 * result or releases it. */
struct term *inregion(r) polynomial_copy(region r, const struct term *p);
/* p itself if there are no regions, else a copy: p's own region is about to go. */
struct term *inregion(r) polynomial_move(region r, struct term *p);
/* monomial p. */
struct term *inregion(r) polynomial_shift(region r, const struct term *p,
                                          const struct monomial *monomial);
/* p + coefficient monomial; consumes p. */
struct term *inregion(r) polynomial_add_term(region r, struct term *inregion(r) p,
                                             int32_t coefficient, struct monomial monomial);
/* a p - b m g; consumes p. */
struct term *inregion(r) polynomial_combine(region r, struct term *inregion(r) p,
                                            const struct integer *a, const struct integer *b,
                                            const struct monomial *m, const struct term *g);
/* Multiplies all coefficients of p. */
void polynomial_scale(region r, struct term *inregion(r) p, const struct integer *factor);
/* Makes p primitive together with rest, which may be null: divides both by what all coefficients
 * have in common. */
void polynomial_make_primitive(region r, struct term *inregion(r) p, struct term *inregion(r) rest);
void polynomial_release(struct term *p);

/* The factors that make the coefficients a and b equal: *for_a a = *for_b b.  Both are in r. */
void cancelling_factors(region r, const struct integer *a, const struct integer *b,
                        struct integer **for_a, struct integer **for_b);

#endif
