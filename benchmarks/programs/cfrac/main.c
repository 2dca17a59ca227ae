/* SPDX-License-Identifier: MIT */
/* cfrac - factors numbers by continued fractions (Morrison and Brillhart 1975).
 *
 * usage: cfrac [NUMBER]...      (default: the Mersenne numbers of exponents 101, 103 and 109)
 *
 * Prints each number with its prime factors.  Exit status: 0; 2 for what is not a number above 0 or
 * is too large.
 */
#include <stdio.h>

#include "factor.h"

static const char *const default_numbers[] = {"2535301200456458802993406410751",
                                              "10141204801825835211973625643007",
                                              "649037107316853453566312041152511"};
enum {
  DEFAULT_COUNT = sizeof default_numbers / sizeof *default_numbers,
  BIT_LIMIT =
      332, /* beyond what can be done; exponents of residues fit in a byte below twice that */
};

static bool print_factors(const char *text) deletes {
  region r = newregion();
  struct bignum *n = bignum_from_decimal(r, text);
  bool is_valid = n && !bignum_is(n, 0) && bignum_bit_count(n) <= BIT_LIMIT;
  if (is_valid) {
    struct factors *factors = factor(r, n);
    printf("%s =", text);
    if (!factors)
      printf(" 1");
    for (const struct factors *f = factors; f; f = f->next) {
      char *prime = bignum_to_decimal(r, f->prime);
      printf("%s %s", f == factors ? "" : " *", prime);
      RELEASE(prime);
    }
    printf("\n");
    factors_release(factors);
  } else {
    fprintf(stderr, "cfrac: not a number above 0 and below 2^332: %s\n", text);
  }
  RELEASE(n);
  deleteregion(r);
  return is_valid;
}

int main(int argc, char **argv) deletes {
  memory_start();
  bool are_valid = true;
  for (int i = 0; argc == 1 && i < DEFAULT_COUNT; i++)
    are_valid &= print_factors(default_numbers[i]);
  for (int i = 1; i < argc; i++)
    are_valid &= print_factors(argv[i]);
  return are_valid ? 0 : 2;
}
