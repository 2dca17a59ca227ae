/* SPDX-License-Identifier: MIT */
#include "basis.h"

#include <string.h>

#include "reduce.h"

enum { FIRST_CAPACITY = 16 };

/* Where is_pending has the pair of two different elements. */
static size_t pair_index(uint32_t i, uint32_t j) {
  size_t low = i < j ? i : j, high = i < j ? j : i;
  return high * (high - 1) / 2 + low;
}

struct basis *inregion(r) basis_new(region r) {
  struct basis *basis = NEW(r, struct basis);
  basis->capacity = FIRST_CAPACITY;
  basis->elements = NEW_ARRAY(r, basis->capacity, struct term *sameregion);
  basis->is_pending = NEW_NUMBERS(r, pair_index(0, basis->capacity), bool);
  return basis;
}

void basis_release(struct basis *basis) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (uint32_t i = 0; i < basis->count; i++)
    polynomial_release(basis->elements[i]);
  for (struct pair *pair = basis->pairs, *next; pair; pair = next) {
    next = pair->next;
    RELEASE(pair);
  }
  RELEASE(basis->elements);
  RELEASE(basis->is_pending);
  RELEASE(basis);
}

static void add_pair(struct basis *basis, uint32_t first, uint32_t second, struct monomial lcm) {
  struct pair *pair = NEW(REGION_OF(basis), struct pair), *before = NULL, *after = basis->pairs;
  for (; after && monomial_compare(&after->lcm, &lcm) <= 0; after = after->next)
    before = after;
  pair->lcm = lcm;
  pair->first = first;
  pair->second = second;
  pair->next = after;
  if (before)
    before->next = pair;
  else
    basis->pairs = pair;
}

static void grow(struct basis *basis) {
  region r = REGION_OF(basis);
  basis->capacity *= 2;
  basis->elements = GROW(r, basis->elements, basis->capacity, struct term *sameregion);
  basis->is_pending = GROW(r, basis->is_pending, pair_index(0, basis->capacity), bool);
}

/* Appends p without its pairs. */
static void append(struct basis *basis, struct term *p) {
  if (basis->count == basis->capacity)
    grow(basis);
  basis->elements[basis->count++] = p;
}

/* Elements whose first monomials have nothing in common need no pair (the product criterion). */
void basis_add(struct basis *basis, struct term *p) {
  append(basis, p);
  uint32_t second = basis->count - 1;
  for (uint32_t first = 0; first < second; first++) {
    const struct monomial *a = &basis->elements[first]->monomial, *b = &p->monomial;
    bool is_needed = !monomial_is_coprime(a, b);
    basis->is_pending[pair_index(first, second)] = is_needed;
    if (is_needed)
      add_pair(basis, first, second, monomial_lcm(a, b));
  }
}

/* Whether an element leads from first to second by pairs that are dealt with (the chain criterion).
 */
static bool has_chain(const struct basis *basis, const struct pair *pair) {
  for (uint32_t i = 0; i < basis->count; i++)
    if (i != pair->first && i != pair->second &&
        monomial_divides(&basis->elements[i]->monomial, &pair->lcm) &&
        !basis->is_pending[pair_index(i, pair->first)] &&
        !basis->is_pending[pair_index(i, pair->second)])
      return true;
  return false;
}

/* The combination of two elements in which their first terms cancel. */
static struct term *s_polynomial(region r, const struct basis *basis, const struct pair *pair) {
  const struct term *first = basis->elements[pair->first], *second = basis->elements[pair->second];
  struct monomial for_first = monomial_divide(&pair->lcm, &first->monomial);
  struct monomial for_second = monomial_divide(&pair->lcm, &second->monomial);
  struct integer *a, *b;
  cancelling_factors(r, first->coefficient, second->coefficient, &a, &b);
  struct term *p =
      polynomial_combine(r, polynomial_shift(r, first, &for_first), a, b, &for_second, second);
  integer_release(a);
  integer_release(b);
  return p;
}

void basis_complete(struct basis *basis) deletes {
  while (basis->pairs) {
    struct pair *pair = basis->pairs;
    basis->pairs = pair->next;
    basis->is_pending[pair_index(pair->first, pair->second)] = false;
    if (!has_chain(basis, pair)) {
      region work = newregion();
      struct term *s = s_polynomial(work, basis, pair);
      struct term *p = normal_form(REGION_OF(basis), basis, SKIP_NONE, work, s);
      if (p)
        basis_add(basis, p);
    }
    RELEASE(pair);
  }
}

/* Whether the first monomial of another element divides that of element i; of equal ones the first
 * is kept. */
static bool is_redundant(const struct basis *basis, uint32_t i) {
  const struct monomial *monomial = &basis->elements[i]->monomial;
  for (uint32_t j = 0; j < basis->count; j++) {
    const struct monomial *other = &basis->elements[j]->monomial;
    if (j != i && monomial_divides(other, monomial) &&
        (j < i || monomial_compare(other, monomial) != 0))
      return true;
  }
  return false;
}

static void sort_elements(struct basis *basis) {
  for (uint32_t i = 1; i < basis->count; i++) {
    struct term *p = basis->elements[i];
    uint32_t at = i;
    for (; at > 0 && monomial_compare(&basis->elements[at - 1]->monomial, &p->monomial) > 0; at--)
      basis->elements[at] = basis->elements[at - 1];
    basis->elements[at] = p;
  }
}

struct basis *basis_reduced(region r, const struct basis *basis) deletes {
  struct basis *reduced = basis_new(r);
  for (uint32_t i = 0; i < basis->count; i++)
    if (!is_redundant(basis, i))
      append(reduced, polynomial_copy(r, basis->elements[i]));
  sort_elements(reduced);
  for (uint32_t i = 0; i < reduced->count; i++) {
    region work = newregion();
    struct term *p = polynomial_copy(work, reduced->elements[i]);
    p = normal_form(r, reduced, i, work, p);
    polynomial_release(reduced->elements[i]);
    reduced->elements[i] = p;
  }
  return reduced;
}
