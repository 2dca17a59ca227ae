/* SPDX-License-Identifier: MIT */
#include "polynomial.h"

/* A list under construction. */
struct list {
  struct term *first, *last;
};

static void append(struct list *list, struct term *term) {
  if (list->last)
    list->last->next = term;
  else
    list->first = term;
  list->last = term;
}

/* Takes coefficient, which must be in r. */
static struct term *new_term(region r, struct integer *coefficient,
                             const struct monomial *monomial) {
  struct term *term = NEW(r, struct term);
  term->coefficient = coefficient;
  term->monomial = *monomial;
  return term;
}

/* The old coefficient is released. */
static void set_coefficient(struct term *term, struct integer *coefficient) {
  integer_release(term->coefficient);
  term->coefficient = coefficient;
}

static void release_term(struct term *term) {
  integer_release(term->coefficient);
  RELEASE(term);
}

struct term *inregion(r) polynomial_shift(region r, const struct term *p,
                                          const struct monomial *monomial) {
  struct list copy = {0};
  for (; p; p = p->next) {
    struct monomial product = monomial_multiply(monomial, &p->monomial);
    append(&copy, new_term(r, integer_copy(r, p->coefficient), &product));
  }
  return copy.first;
}

struct term *inregion(r) polynomial_copy(region r, const struct term *p) {
  static const struct monomial one;
  return polynomial_shift(r, p, &one);
}

struct term *inregion(r) polynomial_move(region r, struct term *p) {
  return HAS_REGIONS ? polynomial_copy(r, p) : p;
}

void polynomial_release(struct term *p) {
  for (struct term *next; p && IS_RELEASE_NEEDED; p = next) {
    next = p->next;
    release_term(p);
  }
}

void polynomial_scale(region r, struct term *inregion(r) p, const struct integer *factor) {
  for (; p && !integer_is_one(factor); p = p->next)
    set_coefficient(p, integer_multiply(r, p->coefficient, factor));
}

/* Appends the sum of the term p, which it consumes, and coefficient, which it takes. */
static void append_sum(region r, struct list *list, struct term *p, struct integer *coefficient) {
  set_coefficient(p, integer_add(r, p->coefficient, coefficient));
  integer_release(coefficient);
  if (integer_is_zero(p->coefficient))
    release_term(p);
  else
    append(list, p);
}

struct term *inregion(r) polynomial_combine(region r, struct term *inregion(r) p,
                                            const struct integer *a, const struct integer *b,
                                            const struct monomial *m, const struct term *g) {
  struct list result = {0};
  struct integer *minus_b = integer_negate(r, b);
  polynomial_scale(r, p, a);
  for (; g; g = g->next) {
    struct monomial monomial = monomial_multiply(m, &g->monomial);
    struct integer *coefficient = integer_multiply(r, g->coefficient, minus_b);
    while (p && monomial_compare(&p->monomial, &monomial) > 0) {
      struct term *next = p->next;
      append(&result, p);
      p = next;
    }
    if (p && monomial_compare(&p->monomial, &monomial) == 0) {
      struct term *next = p->next;
      append_sum(r, &result, p, coefficient);
      p = next;
    } else {
      append(&result, new_term(r, coefficient, &monomial));
    }
  }
  if (result.last)
    result.last->next = p;
  integer_release(minus_b);
  return result.first ? result.first : p;
}

struct term *inregion(r) polynomial_add_term(region r, struct term *inregion(r) p,
                                             int32_t coefficient, struct monomial monomial) {
  struct integer *one = integer_new(r, 1), *minus = integer_new(r, -coefficient);
  struct term *term = new_term(r, integer_new(r, 1), &monomial);
  static const struct monomial unit;
  p = polynomial_combine(r, p, one, minus, &unit, term);
  integer_release(one);
  integer_release(minus);
  polynomial_release(term);
  return p;
}

/* The greatest common divisor of content, unless it is null, which it consumes, and the
 * coefficients of p. */
static struct integer *common_divisor(region r, struct integer *content, const struct term *p) {
  for (; p && !(content && integer_is_one(content)); p = p->next) {
    struct integer *gcd = integer_gcd(r, content ? content : p->coefficient, p->coefficient);
    if (content)
      integer_release(content);
    content = gcd;
  }
  return content;
}

static void divide_coefficients(region r, struct term *p, const struct integer *divisor) {
  for (; p; p = p->next)
    set_coefficient(p, integer_divide_exactly(r, p->coefficient, divisor));
}

void polynomial_make_primitive(region r, struct term *inregion(r) p,
                               struct term *inregion(r) rest) {
  const struct term *first = p ? p : rest;
  if (!first)
    return;
  struct integer *content = common_divisor(r, common_divisor(r, NULL, p), rest);
  if (first->coefficient->is_negative) {
    struct integer *negative = integer_negate(r, content);
    integer_release(content);
    content = negative;
  }
  if (!integer_is_one(content)) {
    divide_coefficients(r, p, content);
    divide_coefficients(r, rest, content);
  }
  integer_release(content);
}

void cancelling_factors(region r, const struct integer *a, const struct integer *b,
                        struct integer **for_a, struct integer **for_b) {
  struct integer *gcd = integer_gcd(r, a, b);
  *for_a = integer_divide_exactly(r, b, gcd);
  *for_b = integer_divide_exactly(r, a, gcd);
  integer_release(gcd);
}
