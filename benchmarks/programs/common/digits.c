/* SPDX-License-Identifier: MIT */
#include "digits.h"

#include <string.h>

size_t digits_length(const uint32_t *a, size_t n) {
  while (n > 0 && a[n - 1] == 0)
    n--;
  return n;
}

int digits_compare(const uint32_t *a, size_t a_length, const uint32_t *b, size_t b_length) {
  if (a_length != b_length)
    return a_length < b_length ? -1 : 1;
  for (size_t i = a_length; i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

uint32_t digits_add(uint32_t *sum, const uint32_t *a, size_t a_length, const uint32_t *b,
                    size_t b_length) {
  uint64_t carry = 0;
  for (size_t i = 0; i < a_length; i++) {
    carry += (uint64_t)a[i] + (i < b_length ? b[i] : 0);
    sum[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return (uint32_t)carry;
}

void digits_subtract(uint32_t *difference, const uint32_t *a, size_t a_length, const uint32_t *b,
                     size_t b_length) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < a_length; i++) {
    uint64_t digit = (uint64_t)a[i] - (i < b_length ? b[i] : 0) - borrow;
    difference[i] = (uint32_t)digit;
    borrow = digit >> 63;
  }
}

void digits_multiply(uint32_t *product, const uint32_t *a, size_t a_length, const uint32_t *b,
                     size_t b_length) {
  memset(product, 0, (a_length + b_length) * sizeof *product);
  for (size_t i = 0; i < a_length; i++) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b_length; j++) {
      carry += (uint64_t)a[i] * b[j] + product[i + j];
      product[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i + b_length] = (uint32_t)carry;
  }
}

uint32_t digits_divide_small(uint32_t *quotient, const uint32_t *dividend, size_t length,
                             uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = length; i-- > 0;) {
    rest = rest << 32 | dividend[i];
    quotient[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  return (uint32_t)rest;
}

/* Digit i of a shifted left by shift bits. */
static uint32_t shifted_digit(const uint32_t *a, size_t i, unsigned shift) {
  return (uint32_t)((((uint64_t)a[i] << 32 | (i > 0 ? a[i - 1] : 0)) << shift) >> 32);
}

/* Step D3: the digit of the quotient for the top of dividend, at most one too large. */
static uint64_t guess_digit(const uint32_t *top, uint32_t first, uint32_t second) {
  uint64_t two = (uint64_t)top[0] << 32 | top[-1];
  uint64_t guess = two / first, rest = two % first;
  while (guess >> 32 || guess * second > (rest << 32 | top[-2])) {
    guess--;
    rest += first;
    if (rest >> 32)
      break;
  }
  return guess;
}

void digits_divide(uint32_t *quotient, uint32_t *dividend, size_t length, const uint32_t *divisor,
                   size_t n) {
  dividend[length] = 0;
  if (n == 1) {
    uint32_t rest = digits_divide_small(quotient, dividend, length, divisor[0]);
    memset(dividend, 0, length * sizeof *dividend);
    dividend[0] = rest;
    return;
  }
  unsigned shift =
      (unsigned)__builtin_clz(divisor[n - 1]); /* the divisor's first digit must be large for D3 */
  for (size_t i = length + 1; i-- > 0;)
    dividend[i] = shifted_digit(dividend, i, shift);
  uint32_t first = shifted_digit(divisor, n - 1, shift),
           second = shifted_digit(divisor, n - 2, shift);

  for (size_t j = length - n + 1; j-- > 0;) {
    uint64_t guess = guess_digit(&dividend[j + n], first, second), carry = 0, borrow = 0;
    for (size_t i = 0; i <= n; i++) {
      carry += guess * (i < n ? shifted_digit(divisor, i, shift) : 0);
      uint64_t digit = (uint64_t)dividend[i + j] - (uint32_t)carry - borrow;
      dividend[i + j] = (uint32_t)digit;
      borrow = digit >> 63;
      carry >>= 32;
    }
    if (borrow) {
      guess--;
      uint64_t sum = 0;
      for (size_t i = 0; i <= n; i++) {
        sum += (uint64_t)dividend[i + j] + (i < n ? shifted_digit(divisor, i, shift) : 0);
        dividend[i + j] = (uint32_t)sum;
        sum >>= 32;
      }
    }
    quotient[j] = (uint32_t)guess;
  }
  for (size_t i = 0; i < length; i++)
    dividend[i] = (uint32_t)(((uint64_t)dividend[i + 1] << 32 | dividend[i]) >> shift);
}
