/* SPDX-License-Identifier: MIT */
#include "base.h"

#include <math.h>

enum { SCORE_PRIME_LIMIT = 300 };

uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t power = 1 % modulus;
  for (base %= modulus; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      power = power * base % modulus;
    base = base * base % modulus;
  }
  return power;
}

static bool is_prime(uint32_t n) {
  for (uint32_t d = 2; (uint64_t)d * d <= n; d++)
    if (n % d == 0)
      return false;
  return n >= 2;
}

uint32_t next_prime(uint32_t n) {
  do
    n++;
  while (!is_prime(n));
  return n;
}

static bool is_square_modulo(uint64_t value, uint32_t prime) {
  return prime == 2 || value % prime == 0 || power_modulo(value, (prime - 1) / 2, prime) == 1;
}

/* L(n)^(1/(2 sqrt 2)), with L(n) = exp(sqrt(log n log log n)): the optimum for continued fractions
 * (Pomerance 1982). */
static uint32_t choose_prime_count(const struct bignum *n) {
  double log_n = log(bignum_to_double(n));
  return 8 + (uint32_t)exp(sqrt(log_n * log(log_n)) * 0.3536);
}

struct base *inregion(r) base_new(region r, const struct bignum *n, const struct bignum *kn) {
  struct base *base = NEW(r, struct base);
  base->prime_count = choose_prime_count(n);
  base->primes = NEW_NUMBERS(r, base->prime_count, uint32_t);
  uint32_t prime = 1;
  for (uint32_t i = 0; i < base->prime_count; i++) {
    do
      prime = next_prime(prime);
    while (!is_square_modulo(bignum_modulo_small(kn, prime), prime));
    base->primes[i] = prime;
  }
  /* A residue has half of kn's bits; those that lost little to the first primes are seldom smooth.
   */
  base->abort_count = base->prime_count / 6;
  struct bignum *one = bignum_from_number(r, 1), *scale = bignum_from_number(r, 1000);
  struct bignum *root = bignum_root(r, kn, 2);
  struct bignum *bound = NULL;
  bignum_divide(r, root, scale, &bound, NULL);
  base->abort_bound = bignum_add(r, bound, one);
  RELEASE(one);
  RELEASE(scale);
  RELEASE(root);
  RELEASE(bound);
  return base;
}

void base_release(struct base *base) {
  RELEASE(base->primes);
  RELEASE(base->abort_bound);
  RELEASE(base);
}

/* Knuth and Schroeppel: the expected logarithm of what the primes contribute to a residue, less
 * half of k's own. */
double base_score(const struct bignum *n, uint32_t k) {
  double score = -0.5 * log(k);
  uint32_t modulo_8 = (uint32_t)((uint64_t)bignum_modulo_small(n, 8) * k % 8);
  score += modulo_8 == 1 ? 2 * log(2) : modulo_8 == 5 ? log(2) : 0.5 * log(2);
  for (uint32_t prime = 3; prime < SCORE_PRIME_LIMIT; prime = next_prime(prime)) {
    uint64_t value = (uint64_t)bignum_modulo_small(n, prime) * k % prime;
    if (value == 0)
      score += log(prime) / prime;
    else if (is_square_modulo(value, prime))
      score += 2 * log(prime) / (prime - 1);
  }
  return score;
}
