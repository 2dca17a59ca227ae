/* SPDX-License-Identifier: MIT */
/* expansion.h - the continued fraction of the square root of k n, term by term.
 *
 * Invariant (Morrison and Brillhart 1975, after index steps):  a^2 = (-1)^index q  modulo n, and 0
 * < q < 2 sqrt(k n).
 *
 * Every step makes new numbers and forgets old ones.  With regions, those of some steps share one,
 * and the expansion with the few that are still wanted then moves to the next.
 */
#ifndef CFRAC_EXPANSION_H
#define CFRAC_EXPANSION_H

#include "bignum.h"

struct expansion {
  const struct bignum *n;
  struct bignum
      *root; /* the integer part of the square root of k n; both are where the search is */
  struct bignum *sameregion p, *sameregion q, *sameregion q_before;
  struct bignum *sameregion a, *sameregion a_before;
  uint32_t index;
};

/* The expansion after 0 steps, all of it in r.  n and root stay the caller's. */
struct expansion *inregion(r) expansion_new(region r, const struct bignum *n,
                                            const struct bignum *kn, struct bignum *root);
/* One step; new numbers go to r, where e is. */
void expansion_step(region r, struct expansion *inregion(r) e);
/* A copy of e and of what a step replaces. */
struct expansion *inregion(r) expansion_move(region r, const struct expansion *e);
void expansion_release(struct expansion *e);

#endif
