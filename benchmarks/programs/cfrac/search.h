/* SPDX-License-Identifier: MIT */
/* search.h - the continued fraction method: one proper factor of a composite number. */
#ifndef CFRAC_SEARCH_H
#define CFRAC_SEARCH_H

#include "bignum.h"

/* A proper factor of n, in r.  n must be composite, no perfect power, and without small prime
   factors.  Null if all multipliers failed: if every expansion is shorter than the relations that
   it should yield. */
struct bignum *find_factor(region r, const struct bignum *n) deletes;

#endif
