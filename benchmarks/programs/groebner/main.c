/* SPDX-License-Identifier: MIT */
/* groebner - reduced Groebner bases over the rationals, in graded reverse lexicographic order.
 *
 * usage: groebner [-p] [SYSTEM]...      (default: cyclic-5 katsura-5 katsura-6 katsura-7)
 *
 * SYSTEM: cyclic-N or katsura-N.  Prints the first monomial of each element, and of the whole basis
 * the number of terms, the length of the longest coefficient and a digest; with -p, all of it. Exit
 * status: 0; 2 for an unknown system.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system.h"

struct summary {
  size_t terms, longest;
  uint64_t digest; /* FNV-1a of the elements as they would be printed */
};

static void digest_text(struct summary *summary, const char *text) {
  for (; *text; text++)
    summary->digest = (summary->digest ^ (unsigned char)*text) * 0x100000001b3;
}

/* text: "x0^2*x1", or "1". */
static void format_monomial(const struct monomial *monomial, char text[MAX_VARIABLES * 8]) {
  size_t length = 0;
  for (int i = 0; i < MAX_VARIABLES; i++) {
    if (monomial->exponents[i] == 0)
      continue;
    length += (size_t)sprintf(text + length, "%sx%d", length ? "*" : "", i);
    if (monomial->exponents[i] > 1)
      length += (size_t)sprintf(text + length, "^%d", monomial->exponents[i]);
  }
  strcpy(text + length, length ? "" : "1");
}

static void summarise(region r, const struct term *p, struct summary *summary, bool is_printed) {
  for (; p; p = p->next) {
    char monomial[MAX_VARIABLES * 8], *coefficient = integer_to_decimal(r, p->coefficient);
    format_monomial(&p->monomial, monomial);
    size_t length = strlen(coefficient) - p->coefficient->is_negative;
    summary->terms++;
    summary->longest = length > summary->longest ? length : summary->longest;
    digest_text(summary, coefficient);
    digest_text(summary, monomial);
    if (is_printed)
      printf("%s*%s%s", coefficient, monomial, p->next ? " + " : "\n");
    RELEASE(coefficient);
  }
}

static void print_basis(region r, const char *name, const struct basis *basis, bool is_printed) {
  struct summary summary = {.digest = 0xcbf29ce484222325};
  printf("%s: %" PRIu32 " elements\n", name, basis->count);
  for (uint32_t i = 0; i < basis->count; i++) {
    char monomial[MAX_VARIABLES * 8];
    format_monomial(&basis->elements[i]->monomial, monomial);
    if (!is_printed)
      printf("%s%s", monomial, i + 1 < basis->count ? " " : "\n");
    summarise(r, basis->elements[i], &summary, is_printed);
  }
  printf("%zu terms, coefficients of up to %zu digits, digest %016" PRIx64 "\n", summary.terms,
         summary.longest, summary.digest);
}

static bool solve(const char *name, bool is_printed) deletes {
  region work = newregion(), kept = newregion();
  struct basis *basis = system_named(work, name);
  bool is_known = basis != NULL;
  if (is_known) {
    basis_complete(basis);
    struct basis *reduced = basis_reduced(kept, basis);
    basis_release(basis);
    print_basis(kept, name, reduced, is_printed);
    basis_release(reduced);
  } else {
    fprintf(stderr, "groebner: no such system: %s\n", name);
  }
  deleteregion(work);
  deleteregion(kept);
  return is_known;
}

int main(int argc, char **argv) deletes {
  memory_start();
  bool is_printed = argc > 1 && strcmp(argv[1], "-p") == 0, are_known = true;
  char *defaults[] = {"cyclic-5", "katsura-5", "katsura-6", "katsura-7"};
  char **names = argv + 1 + is_printed;
  int count = argc - 1 - is_printed;
  if (count == 0) {
    names = defaults;
    count = sizeof defaults / sizeof *defaults;
  }
  for (int i = 0; i < count; i++)
    are_known &= solve(names[i], is_printed);
  return are_known ? 0 : 2;
}
