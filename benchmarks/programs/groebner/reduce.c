/* SPDX-License-Identifier: MIT */
#include "reduce.h"

/* After this many steps, whose intermediate polynomials are garbage in one region, the rest of the
 * polynomial moves to a new one, divided by the common factor of its coefficients. */
enum { STEPS_PER_REGION = 8 };

/* The first element whose first monomial divides monomial, or null. */
static const struct term *find_divisor(const struct basis *basis, uint32_t skipped,
                                       const struct monomial *monomial) {
  for (uint32_t i = 0; i < basis->count; i++)
    if (i != skipped && monomial_divides(&basis->elements[i]->monomial, monomial))
      return basis->elements[i];
  return NULL;
}

/* Makes the first term of rest vanish.  What is done already is multiplied by the same factor. */
static struct term *reduce_first(region work, struct term *rest, struct term *done,
                                 const struct term *divisor) {
  struct monomial quotient = monomial_divide(&rest->monomial, &divisor->monomial);
  struct integer *for_rest, *for_divisor;
  cancelling_factors(work, rest->coefficient, divisor->coefficient, &for_rest, &for_divisor);
  polynomial_scale(work, done, for_rest);
  rest = polynomial_combine(work, rest, for_rest, for_divisor, &quotient, divisor);
  integer_release(for_rest);
  integer_release(for_divisor);
  return rest;
}

static struct term *reverse(struct term *p) {
  struct term *reversed = NULL;
  for (struct term *next; p; p = next) {
    next = p->next;
    p->next = reversed;
    reversed = p;
  }
  return reversed;
}

struct term *inregion(r) normal_form(region r, const struct basis *basis, uint32_t skipped,
                                     region work, struct term *inregion(work) p) deletes {
  region own = work;                   /* of rest and done */
  struct term *rest = p, *done = NULL; /* done: the terms that stay, the last one first */
  uint32_t steps = 0;
  while (rest) {
    const struct term *divisor = find_divisor(basis, skipped, &rest->monomial);
    if (!divisor) {
      struct term *next = rest->next;
      rest->next = done;
      done = rest;
      rest = next;
      continue;
    }
    rest = reduce_first(own, rest, done, divisor);
    if (++steps % STEPS_PER_REGION != 0)
      continue;
    polynomial_make_primitive(own, done, rest);
    region fresh = newregion();
    rest = polynomial_move(fresh, rest);
    done = polynomial_move(fresh, done);
    deleteregion(own);
    own = fresh;
  }
  done = reverse(done);
  polynomial_make_primitive(own, done, NULL);
  struct term *result = polynomial_move(r, done);
  deleteregion(own);
  return result;
}
