/* SPDX-License-Identifier: MIT */
#include "factor.h"

#include "base.h"
#include "search.h"

enum { TRIAL_LIMIT = 2000 };

/* Whether n - 1 = odd 2^twos, and the powers of base up to it, show that n is composite (Miller,
 * Rabin). */
static bool is_witness(region r, uint32_t base, const struct bignum *n,
                       const struct bignum *n_less_1, const struct bignum *odd, unsigned twos) {
  struct bignum *number = bignum_from_number(r, base),
                *power = bignum_modulo_power(r, number, odd, n);
  bool is_composite = !bignum_is(power, 1);
  for (unsigned i = 0; i < twos && is_composite; i++) {
    is_composite = bignum_compare(power, n_less_1) != 0;
    bignum_assign(&power, bignum_modulo_multiply(r, power, power, n));
  }
  RELEASE(number);
  RELEASE(power);
  return is_composite;
}

bool is_probably_prime(region r, const struct bignum *n) {
  static const uint32_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
  enum { BASE_COUNT = sizeof bases / sizeof *bases };
  for (int i = 0; i < BASE_COUNT; i++) {
    if (bignum_is(n, bases[i]))
      return true;
    if (bignum_modulo_small(n, bases[i]) == 0)
      return false;
  }
  if (bignum_is(n, 1))
    return false;
  struct bignum *one = bignum_from_number(r, 1), *n_less_1 = bignum_subtract(r, n, one);
  struct bignum *odd = bignum_copy(r, n_less_1);
  unsigned twos = 0;
  for (; !bignum_is_odd(odd); twos++)
    bignum_divide_small(r, odd, 2, &odd);
  bool is_composite = false;
  for (int i = 0; i < BASE_COUNT && !is_composite; i++)
    is_composite = is_witness(r, bases[i], n, n_less_1, odd, twos);
  RELEASE(one);
  RELEASE(n_less_1);
  RELEASE(odd);
  return !is_composite;
}

static struct factors *insert(region r, struct factors *list, const struct bignum *prime) {
  struct factors *new = NEW(r, struct factors), *before = NULL, *after = list;
  for (; after && bignum_compare(after->prime, prime) < 0; after = after->next)
    before = after;
  new->prime = bignum_copy(r, prime);
  new->next = after;
  if (!before)
    return new;
  before->next = new;
  return list;
}

/* The number whose power of some prime degree n is, or null; sets *degree. */
static struct bignum *perfect_root(region r, const struct bignum *n, uint32_t *degree) {
  unsigned degree_limit = bignum_bit_count(n) / 10; /* the root is above 2^10 */
  for (*degree = 2; *degree <= degree_limit; *degree = next_prime(*degree)) {
    struct bignum *root = bignum_root(r, n, *degree), *power = bignum_copy(r, root);
    for (uint32_t i = 1; i < *degree; i++)
      bignum_assign(&power, bignum_multiply(r, power, root));
    bool is_power = bignum_compare(power, n) == 0;
    RELEASE(power);
    if (is_power)
      return root;
    RELEASE(root);
  }
  return NULL;
}

/* Adds the prime factors of n, which has none up to TRIAL_LIMIT. */
static struct factors *split(region r, struct factors *list, const struct bignum *n) deletes {
  if (bignum_is(n, 1))
    return list;
  if (is_probably_prime(r, n))
    return insert(r, list, n);
  uint32_t degree;
  struct bignum *root = perfect_root(r, n, &degree);
  if (root) {
    for (uint32_t i = 0; i < degree; i++)
      list = split(r, list, root);
    RELEASE(root);
    return list;
  }
  struct bignum *factor = find_factor(r, n), *cofactor = NULL;
  if (!factor)
    return insert(r, list, n);
  bignum_divide(r, n, factor, &cofactor, NULL);
  list = split(r, list, factor);
  list = split(r, list, cofactor);
  RELEASE(factor);
  RELEASE(cofactor);
  return list;
}

struct factors *factor(region r, const struct bignum *n) deletes {
  struct factors *list = NULL;
  struct bignum *rest = bignum_copy(r, n), *quotient = NULL;
  for (uint32_t prime = 2; prime < TRIAL_LIMIT; prime = next_prime(prime)) {
    while (bignum_modulo_small(rest, prime) == 0) {
      struct bignum *found = bignum_from_number(r, prime);
      list = insert(r, list, found);
      RELEASE(found);
      bignum_divide_small(r, rest, prime, &quotient);
      bignum_assign(&rest, quotient);
      quotient = NULL;
    }
  }
  list = split(r, list, rest);
  RELEASE(rest);
  return list;
}

void factors_release(struct factors *factors) {
  for (struct factors *next; factors && IS_RELEASE_NEEDED; factors = next) {
    next = factors->next;
    RELEASE(factors->prime);
    RELEASE(factors);
  }
}
