/* SPDX-License-Identifier: MIT */
#include "search.h"

#include "base.h"
#include "expansion.h"
#include "relations.h"

enum {
  STEPS_PER_REGION = 32, /* what they allocate stays in the processor's cache */
  MULTIPLIER_LIMIT = 400,
};

/* What one search keeps to its end, in one region. */
struct search {
  const struct bignum *n;
  struct bignum *sameregion kn;
  struct base *sameregion base;
  struct relations *sameregion relations;
  struct bignum *sameregion root; /* of kn */
  uint8_t *sameregion exponents;  /* of the residue at hand */
};

static struct search *search_new(region r, const struct bignum *n, uint32_t k) {
  struct search *search = NEW(r, struct search);
  struct bignum *multiplier = bignum_from_number(r, k);
  search->n = n;
  search->kn = bignum_multiply(r, n, multiplier);
  search->base = base_new(r, n, search->kn);
  search->relations = relations_new(r, search->base);
  search->root = bignum_root(r, search->kn, 2);
  search->exponents = NEW_NUMBERS(r, 1 + search->base->prime_count, uint8_t);
  RELEASE(multiplier);
  return search;
}

static void search_release(struct search *search) {
  RELEASE(search->root);
  relations_release(search->relations);
  base_release(search->base);
  RELEASE(search->kn);
  RELEASE(search->exponents);
  RELEASE(search);
}

/* Up to STEPS_PER_REGION steps of e, which is in r.  Sets *is_over when the expansion repeats
   itself, when there are enough relations, or with a factor, which it returns. */
static struct bignum *take_steps(region r, struct search *search, struct expansion *inregion(r) e,
                                 bool *is_over) {
  for (int i = 0; i < STEPS_PER_REGION; i++) {
    expansion_step(r, e);
    if (relations_factor(r, search->base, e->q, e->index & 1, search->exponents)) {
      struct bignum *found =
          relations_add(r, search->relations, search->n, e->a, search->exponents);
      *is_over = found || relations_is_full(search->relations);
      if (*is_over)
        return found;
    }
    *is_over = bignum_is(e->q, 1);
    if (*is_over)
      return NULL;
  }
  return NULL;
}

static struct bignum *search_multiple(region r, const struct bignum *n, uint32_t k) deletes {
  region kept = newregion(), steps = newregion();
  struct search *search = search_new(kept, n, k);
  struct expansion *expansion = expansion_new(steps, n, search->kn, search->root);
  bool is_over = false;
  struct bignum *found = take_steps(steps, search, expansion, &is_over);
  while (!is_over) {
    if (HAS_REGIONS) {
      region fresh = newregion();
      expansion = expansion_move(fresh, expansion);
      deleteregion(steps);
      steps = fresh;
    }
    found = take_steps(steps, search, expansion, &is_over);
  }
  struct bignum *factor = found ? bignum_copy(r, found) : NULL;
  RELEASE(found);
  expansion_release(expansion);
  search_release(search);
  deleteregion(steps);
  deleteregion(kept);
  return factor;
}

static bool is_square_free(uint32_t k) {
  for (uint32_t d = 2; d * d <= k; d++)
    if (k % (d * d) == 0)
      return false;
  return true;
}

/* Fills multipliers, the best first.  Returns how many. */
static uint32_t rank_multipliers(const struct bignum *n, uint32_t multipliers[MULTIPLIER_LIMIT]) {
  double scores[MULTIPLIER_LIMIT];
  uint32_t count = 0;
  for (uint32_t k = 1; k < MULTIPLIER_LIMIT; k++) {
    if (!is_square_free(k))
      continue;
    double score = base_score(n, k);
    uint32_t at = count++;
    for (; at > 0 && scores[at - 1] < score; at--) {
      scores[at] = scores[at - 1];
      multipliers[at] = multipliers[at - 1];
    }
    scores[at] = score;
    multipliers[at] = k;
  }
  return count;
}

struct bignum *find_factor(region r, const struct bignum *n) deletes {
  uint32_t multipliers[MULTIPLIER_LIMIT], count = rank_multipliers(n, multipliers);
  struct bignum *factor = NULL;
  for (uint32_t i = 0; i < count && !factor; i++)
    factor = search_multiple(r, n, multipliers[i]);
  return factor;
}
