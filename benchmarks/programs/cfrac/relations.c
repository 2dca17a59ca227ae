/* SPDX-License-Identifier: MIT */
#include "relations.h"

#include <string.h>

/* Each relation past this many more than unknowns completes another square, which fails at most
 * every second time. */
enum { SPARE_RELATIONS = 32 };

static uint32_t words_for(uint32_t bits) { return (bits + 63) / 64; }

static uint32_t exponent_count(const struct base *base) { return 1 + base->prime_count; }

struct relations *inregion(r) relations_new(region r, struct base *base) {
  struct relations *relations = NEW(r, struct relations);
  relations->base = base;
  relations->count = 0;
  relations->capacity = exponent_count(base) + SPARE_RELATIONS;
  relations->all = NEW_ARRAY(r, relations->capacity, struct relation *sameregion);
  relations->pivots = NEW_ARRAY(r, exponent_count(base), struct relation *sameregion);
  return relations;
}

void relations_release(struct relations *relations) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (uint32_t i = 0; i < relations->count; i++) {
    struct relation *relation = relations->all[i];
    RELEASE(relation->a);
    RELEASE(relation->exponents);
    RELEASE(relation->parities);
    RELEASE(relation->history);
    RELEASE(relation);
  }
  RELEASE(relations->all);
  RELEASE(relations->pivots);
  RELEASE(relations);
}

bool relations_is_full(const struct relations *relations) {
  return relations->count == relations->capacity;
}

bool relations_factor(region r, const struct base *base, const struct bignum *q, bool is_negative,
                      uint8_t *exponents) {
  struct bignum *rest = bignum_copy(r, q), *quotient = NULL;
  bool is_hopeless = false;
  memset(exponents, 0, exponent_count(base));
  exponents[0] = is_negative;
  for (uint32_t i = 0; i < base->prime_count && !is_hopeless && !bignum_is(rest, 1); i++) {
    while (bignum_divide_small(r, rest, base->primes[i], &quotient) == 0) {
      bignum_assign(&rest, quotient);
      quotient = NULL;
      exponents[1 + i]++;
    }
    is_hopeless = i == base->abort_count && bignum_compare(rest, base->abort_bound) > 0;
  }
  bool is_smooth = bignum_is(rest, 1);
  RELEASE(rest);
  RELEASE(quotient);
  return is_smooth;
}

static struct relation *new_relation(region r, const struct relations *relations,
                                     const struct bignum *a, const uint8_t *exponents) {
  uint32_t exponents_size = exponent_count(relations->base);
  uint32_t parity_words = words_for(exponents_size), history_words = words_for(relations->capacity);
  struct relation *relation = NEW(r, struct relation);
  relation->a = bignum_copy(r, a);
  relation->exponents = NEW_NUMBERS(r, exponents_size, uint8_t);
  memcpy(relation->exponents, exponents, exponents_size);
  relation->parities = NEW_NUMBERS(r, parity_words, uint64_t);
  memset(relation->parities, 0, parity_words * sizeof(uint64_t));
  for (uint32_t i = 0; i < exponents_size; i++)
    relation->parities[i / 64] |= (uint64_t)(exponents[i] & 1) << i % 64;
  relation->history = NEW_NUMBERS(r, history_words, uint64_t);
  memset(relation->history, 0, history_words * sizeof(uint64_t));
  relation->history[relations->count / 64] = (uint64_t)1 << relations->count % 64;
  return relation;
}

/* Reduces relation by the pivots and makes it one.  False if nothing is left of its parities. */
static bool reduce(struct relations *relations, struct relation *relation) {
  uint32_t parity_words = words_for(exponent_count(relations->base)),
           history_words = words_for(relations->capacity);
  for (uint32_t word = 0; word < parity_words; word++) {
    while (relation->parities[word] != 0) {
      uint32_t lowest = 64 * word + (uint32_t)__builtin_ctzll(relation->parities[word]);
      struct relation *pivot = relations->pivots[lowest];
      if (!pivot) {
        relations->pivots[lowest] = relation;
        return true;
      }
      for (uint32_t i = 0; i < parity_words; i++)
        relation->parities[i] ^= pivot->parities[i];
      for (uint32_t i = 0; i < history_words; i++)
        relation->history[i] ^= pivot->history[i];
    }
  }
  return false;
}

/* The root of the product of the residues in history: every prime to half its exponent. */
static struct bignum *residue_root(region r, const struct relations *relations,
                                   const uint64_t *history, const struct bignum *n) {
  const struct base *base = relations->base;
  struct bignum *root = bignum_from_number(r, 1);
  for (uint32_t i = 0; i < base->prime_count; i++) {
    uint64_t exponent = 0;
    for (uint32_t j = 0; j < relations->count; j++)
      if (history[j / 64] >> j % 64 & 1)
        exponent += relations->all[j]->exponents[1 + i];
    struct bignum *prime = bignum_from_number(r, base->primes[i]),
                  *half = bignum_from_number(r, exponent / 2);
    struct bignum *power = bignum_modulo_power(r, prime, half, n);
    bignum_assign(&root, bignum_modulo_multiply(r, root, power, n));
    RELEASE(prime);
    RELEASE(half);
    RELEASE(power);
  }
  return root;
}

/* With x^2 = y^2 modulo n, gcd(x + y, n): a proper factor of n, or null. */
static struct bignum *try_square(region r, const struct relations *relations,
                                 const uint64_t *history, const struct bignum *n) {
  struct bignum *x = bignum_from_number(r, 1);
  for (uint32_t j = 0; j < relations->count; j++)
    if (history[j / 64] >> j % 64 & 1)
      bignum_assign(&x, bignum_modulo_multiply(r, x, relations->all[j]->a, n));
  struct bignum *y = residue_root(r, relations, history, n);
  struct bignum *sum = bignum_add(r, x, y), *factor = bignum_gcd(r, sum, n);
  RELEASE(x);
  RELEASE(y);
  RELEASE(sum);
  if (bignum_is(factor, 1) || bignum_compare(factor, n) == 0)
    bignum_assign(&factor, NULL);
  return factor;
}

struct bignum *inregion(r) relations_add(region r, struct relations *relations,
                                         const struct bignum *n, const struct bignum *a,
                                         const uint8_t *exponents) {
  struct relation *relation = new_relation(REGION_OF(relations), relations, a, exponents);
  relations->all[relations->count++] = relation;
  return reduce(relations, relation) ? NULL : try_square(r, relations, relation->history, n);
}
