/* SPDX-License-Identifier: MIT */
/* numbers.c - long numbers, as a calculator has them: each operation allocates its result and frees
 * an operand; hardly anything lives.  The factorials up to a bound, and the sum of their digits.
 */
#include "shape.h"

typedef struct number {
  size_t size;
  uint32_t digits[];
} number;

static number *make(size_t size) {
  number *n = calloc(1, sizeof *n + size * sizeof *n->digits);
  n->size = size;
  return n;
}

static number *times(const number *a, uint32_t b) {
  number *n = make(a->size + 1);
  uint64_t carry = 0;
  for (size_t i = 0; i < a->size; i++, carry >>= 32)
    n->digits[i] = (uint32_t)(carry += (uint64_t)a->digits[i] * b);
  n->digits[a->size] = (uint32_t)carry;
  n->size -= carry == 0;
  return n;
}

static number *plus(const number *a, const number *b) {
  size_t size = a->size > b->size ? a->size : b->size;
  number *n = make(size + 1);
  uint64_t carry = 0;
  for (size_t i = 0; i < size; i++, carry >>= 32) {
    carry += (uint64_t)(i < a->size ? a->digits[i] : 0) + (i < b->size ? b->digits[i] : 0);
    n->digits[i] = (uint32_t)carry;
  }
  n->digits[size] = (uint32_t)carry;
  n->size -= carry == 0;
  return n;
}

int main(int argc, char **argv) {
  size_t rounds = number_of(argc, argv, 2, 60000) / 100, sum = 0;
  for (size_t i = 0; i < rounds; i++) {
    number *factorial = make(1), *all = make(1);
    factorial->digits[0] = 1;
    for (uint32_t n = 2; n < 1000; n++) {
      number *next = times(factorial, n), *more = plus(all, next);
      free(factorial);
      free(all);
      factorial = next;
      all = more;
    }
    sum += all->digits[all->size / 2];
    free(factorial);
    free(all);
  }
  return report(sum);
}
