/* SPDX-License-Identifier: MIT */
#include "expansion.h"

struct expansion *inregion(r) expansion_new(region r, const struct bignum *n,
                                            const struct bignum *kn, struct bignum *root) {
  struct expansion *e = NEW(r, struct expansion);
  e->n = n;
  e->root = root;
  e->p = bignum_from_number(r, 0);
  e->q = bignum_from_number(r, 1);
  e->q_before = bignum_copy(r, kn);
  e->a = bignum_from_number(r, 1);
  e->a_before = bignum_from_number(r, 0);
  e->index = 0;
  return e;
}

/* q_before + term (p - p_next), which is positive though the difference may not be. */
static struct bignum *next_q(region r, const struct expansion *e, const struct bignum *term,
                             const struct bignum *p_next) {
  bool is_falling = bignum_compare(e->p, p_next) >= 0;
  struct bignum *step =
      is_falling ? bignum_subtract(r, e->p, p_next) : bignum_subtract(r, p_next, e->p);
  bignum_assign(&step, bignum_multiply(r, term, step));
  struct bignum *q =
      is_falling ? bignum_add(r, e->q_before, step) : bignum_subtract(r, e->q_before, step);
  RELEASE(step);
  return q;
}

void expansion_step(region r, struct expansion *inregion(r) e) {
  struct bignum *term = bignum_add(r, e->root, e->p);
  bignum_divide(r, term, e->q, &term, NULL);

  struct bignum *p_next = bignum_multiply(r, term, e->q);
  bignum_assign(&p_next, bignum_subtract(r, p_next, e->p));
  struct bignum *q_next = next_q(r, e, term, p_next);
  struct bignum *a_next = bignum_multiply(r, term, e->a);
  bignum_assign(&a_next, bignum_add(r, a_next, e->a_before));
  bignum_divide(r, a_next, e->n, NULL, &a_next);

  RELEASE(e->p);
  e->p = p_next;
  RELEASE(e->q_before);
  e->q_before = e->q;
  e->q = q_next;
  RELEASE(e->a_before);
  e->a_before = e->a;
  e->a = a_next;
  e->index++;
  RELEASE(term);
}

struct expansion *inregion(r) expansion_move(region r, const struct expansion *e) {
  struct expansion *moved = NEW(r, struct expansion);
  moved->n = e->n;
  moved->root = e->root;
  moved->p = bignum_copy(r, e->p);
  moved->q = bignum_copy(r, e->q);
  moved->q_before = bignum_copy(r, e->q_before);
  moved->a = bignum_copy(r, e->a);
  moved->a_before = bignum_copy(r, e->a_before);
  moved->index = e->index;
  return moved;
}

void expansion_release(struct expansion *e) {
  RELEASE(e->p);
  RELEASE(e->q);
  RELEASE(e->q_before);
  RELEASE(e->a);
  RELEASE(e->a_before);
  RELEASE(e);
}
