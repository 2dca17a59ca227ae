/* SPDX-License-Identifier: MIT */
/* base.h - factor bases: the primes that can divide the residues of one search. */
#ifndef CFRAC_BASE_H
#define CFRAC_BASE_H

#include "bignum.h"

struct base {
  uint32_t prime_count;
  uint32_t *sameregion primes; /* ascending, the first is 2 */
  /* Residues that are still above abort_bound once abort_count primes are divided out are given up.
   */
  uint32_t abort_count;
  struct bignum *sameregion abort_bound;
};

/* The primes p for which kn is a square modulo p, as many as pay for a number of n's size. */
struct base *inregion(r) base_new(region r, const struct bignum *n, const struct bignum *kn);
void base_release(struct base *base);

/* How much better than a random number of its size k n is to search, by the small primes it admits:
 * a logarithm. */
double base_score(const struct bignum *n, uint32_t k);

/* base to the exponent modulo a prime below 2^32. */
uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus);
/* The least prime above n. */
uint32_t next_prime(uint32_t n);

#endif
