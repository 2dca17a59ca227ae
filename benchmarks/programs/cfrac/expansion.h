/* expansion.h - the continued fraction of the square root of k n, term by term.
 *
 * Invariant (Morrison and Brillhart 1975, after index steps):  a^2 = (-1)^index q  modulo n, and 0 < q < 2 sqrt(k n).
 *
 * Every step makes new numbers and forgets old ones.  With regions, those of some hundred steps share one, and the few
 * that are still wanted then move to the next.
 */
#ifndef CFRAC_EXPANSION_H
#define CFRAC_EXPANSION_H

#include "bignum.h"

struct expansion {
  const struct bignum *n;
  struct bignum *sameregion root; /* the integer part of the square root of k n */
  struct bignum *p, *q, *q_before;
  struct bignum *a, *a_before;
  uint32_t index;
};

/* The expansion after 0 steps, all of it in r.  n stays the caller's. */
struct expansion *inregion(r) expansion_new(region r, const struct bignum *n, const struct bignum *kn);
/* One step; new numbers go to r. */
void expansion_step(region r, struct expansion *e);
/* Copies to r what a step replaces. */
void expansion_move(region r, struct expansion *e);
void expansion_release(struct expansion *e);

#endif
