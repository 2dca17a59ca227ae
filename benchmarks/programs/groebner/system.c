/* SPDX-License-Identifier: MIT */
#include "system.h"

#include <stdlib.h>
#include <string.h>

static struct monomial variable(int i) {
  struct monomial monomial = {.degree = 1};
  monomial.exponents[i] = 1;
  return monomial;
}

static void add_primitive(region r, struct basis *basis, struct term *p) {
  polynomial_make_primitive(r, p, NULL);
  basis_add(basis, p);
}

/* For d below n the sum over i of x[i] x[i+1] ... x[i+d-1], indices modulo n; and the product of
 * all, less 1. */
static struct basis *cyclic(region r, int n) {
  static const struct monomial one;
  struct basis *basis = basis_new(r);
  for (int d = 1; d <= n; d++) {
    struct term *p = d == n ? polynomial_add_term(r, NULL, -1, one) : NULL;
    for (int i = 0; i < (d == n ? 1 : n); i++) {
      struct monomial product = {0};
      for (int j = i; j < i + d; j++) {
        struct monomial factor = variable(j % n);
        product = monomial_multiply(&product, &factor);
      }
      p = polynomial_add_term(r, p, 1, product);
    }
    add_primitive(r, basis, p);
  }
  return basis;
}

/* With u[-i] = u[i], and u[i] = 0 for i > n: the sum of all u[i] is 1; for m below n the sum of
 * u[i] u[m-i] is u[m]. */
static struct basis *katsura(region r, int n) {
  static const struct monomial one;
  struct basis *basis = basis_new(r);
  struct term *sum = polynomial_add_term(r, NULL, -1, one);
  for (int i = -n; i <= n; i++)
    sum = polynomial_add_term(r, sum, 1, variable(abs(i)));
  add_primitive(r, basis, sum);
  for (int m = 0; m < n; m++) {
    struct term *p = polynomial_add_term(r, NULL, -1, variable(m));
    for (int i = -n; i <= n; i++) {
      if (abs(m - i) > n)
        continue;
      struct monomial u = variable(abs(i)), v = variable(abs(m - i));
      p = polynomial_add_term(r, p, 1, monomial_multiply(&u, &v));
    }
    add_primitive(r, basis, p);
  }
  return basis;
}

struct basis *inregion(r) system_named(region r, const char *name) {
  const char *dash = strchr(name, '-');
  int n = dash && dash[1] >= '1' && dash[1] <= '9' && !dash[2] ? dash[1] - '0' : 0;
  if (n >= 2 && n <= MAX_VARIABLES && strncmp(name, "cyclic-", 7) == 0)
    return cyclic(r, n);
  if (n >= 1 && n < MAX_VARIABLES && strncmp(name, "katsura-", 8) == 0)
    return katsura(r, n);
  return NULL;
}
