/* SPDX-License-Identifier: MIT */
/* reduce.h - division of polynomials by a basis. */
#ifndef GROEBNER_REDUCE_H
#define GROEBNER_REDUCE_H

#include "basis.h"

#define SKIP_NONE UINT32_MAX

/* A primitive polynomial, in r: some multiple of p less multiples of elements, with no monomial
   that the first of an element divides.  The element number skipped is left out.  Consumes p and
   deletes work, the region that p is in. */
struct term *inregion(r) normal_form(region r, const struct basis *basis, uint32_t skipped,
                                     region work, struct term *inregion(work) p) deletes;

#endif
