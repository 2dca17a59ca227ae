/* SPDX-License-Identifier: MIT */
/* digits.h - arithmetic on natural numbers written as arrays of 32-bit digits, the lowest first.
 *
 * No allocation: the caller says where results go.  A result may be an operand's own array where
 * this is said. Methods: Knuth, The Art of Computer Programming, volume 2, 4.3.1.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

/* n without the zero digits at the top: 0 for the number 0.  All lengths below are of this kind,
 * but for results. */
size_t digits_length(const uint32_t *a, size_t n);
/* Negative, zero or positive as a is less than, equal to or greater than b. */
int digits_compare(const uint32_t *a, size_t a_length, const uint32_t *b, size_t b_length);

/* sum has a_length digits and may be a or b; a_length >= b_length.  Returns the carry. */
uint32_t digits_add(uint32_t *sum, const uint32_t *a, size_t a_length, const uint32_t *b,
                    size_t b_length);
/* difference has a_length digits and may be a or b; a >= b. */
void digits_subtract(uint32_t *difference, const uint32_t *a, size_t a_length, const uint32_t *b,
                     size_t b_length);
/* product has a_length + b_length digits and is neither a nor b. */
void digits_multiply(uint32_t *product, const uint32_t *a, size_t a_length, const uint32_t *b,
                     size_t b_length);
/* quotient has length digits and may be dividend.  Returns the remainder. */
uint32_t digits_divide_small(uint32_t *quotient, const uint32_t *dividend, size_t length,
                             uint32_t divisor);
/* quotient has length - divisor_length + 1 digits.  dividend has room for length + 1 digits, and
   the remainder is left in it; length >= divisor_length >= 1.  The three are different arrays. */
void digits_divide(uint32_t *quotient, uint32_t *dividend, size_t length, const uint32_t *divisor,
                   size_t divisor_length);

#endif
