/* SPDX-License-Identifier: MIT */
#include "monomial.h"

#include <stdio.h>
#include <stdlib.h>

int monomial_compare(const struct monomial *a, const struct monomial *b) {
  if (a->degree != b->degree)
    return a->degree < b->degree ? -1 : 1;
  for (int i = MAX_VARIABLES; i-- > 0;)
    if (a->exponents[i] != b->exponents[i])
      return a->exponents[i] > b->exponents[i] ? -1 : 1;
  return 0;
}

bool monomial_divides(const struct monomial *a, const struct monomial *b) {
  bool divides = true;
  for (int i = 0; i < MAX_VARIABLES; i++)
    divides &= a->exponents[i] <= b->exponents[i];
  return divides;
}

bool monomial_is_coprime(const struct monomial *a, const struct monomial *b) {
  bool is_coprime = true;
  for (int i = 0; i < MAX_VARIABLES; i++)
    is_coprime &= a->exponents[i] == 0 || b->exponents[i] == 0;
  return is_coprime;
}

struct monomial monomial_multiply(const struct monomial *a, const struct monomial *b) {
  struct monomial product = {.degree = (uint16_t)(a->degree + b->degree)};
  if (product.degree > UINT8_MAX) { /* so no exponent is too large */
    fprintf(stderr, "groebner: a monomial of a degree above %d\n", UINT8_MAX);
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < MAX_VARIABLES; i++)
    product.exponents[i] = (uint8_t)(a->exponents[i] + b->exponents[i]);
  return product;
}

struct monomial monomial_divide(const struct monomial *a, const struct monomial *b) {
  struct monomial quotient = {.degree = (uint16_t)(a->degree - b->degree)};
  for (int i = 0; i < MAX_VARIABLES; i++)
    quotient.exponents[i] = (uint8_t)(a->exponents[i] - b->exponents[i]);
  return quotient;
}

struct monomial monomial_lcm(const struct monomial *a, const struct monomial *b) {
  struct monomial lcm = {0};
  for (int i = 0; i < MAX_VARIABLES; i++) {
    lcm.exponents[i] = a->exponents[i] > b->exponents[i] ? a->exponents[i] : b->exponents[i];
    lcm.degree += lcm.exponents[i];
  }
  return lcm;
}
