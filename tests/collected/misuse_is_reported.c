// RUN: %acre-cc -O1 -facre-malloc=collected %s -o %t
// RUN: not --crash %t inside 2>&1 | %whole %s --check-prefix=INSIDE
// RUN: not --crash env ACRE_HEAP=limits=3M %t 2>&1 | %whole %s --check-prefix=WORD
// RUN: not --crash env ACRE_HEAP=limit=3X %t 2>&1 | %whole %s --check-prefix=SIZE
// RUN: not --crash env ACRE_HEAP=budget=101 %t 2>&1 | %whole %s --check-prefix=BUDGET
// RUN: env ACRE_HEAP=limit=32M %t full
// RUN: not %acre-cc -static -facre-malloc=collected %s -o %t 2>&1 | FileCheck %s \
// RUN:   --check-prefix=STATIC
// RUN: not %acre-cc -facre-malloc=other %s -o %t 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not %acre-cc -fno-acre -facre-malloc=collected %s -o %t 2>&1 | FileCheck %s \
// RUN:   --check-prefix=PASS
// RUN: not %acre-cc -fsanitize=undefined,address -facre-malloc=collected %s -o %t 2>&1 | \
// RUN:   FileCheck %s --check-prefix=SANITIZER
// SANITIZER: both replace malloc
// INSIDE: acre: fatal: free: 0x{{[0-9a-f]+}} is not the start of an object in the collected heap,
// INSIDE-SAME: {{^ }}but
// INSIDE-SAME: at offset 8 of one of 100 bytes; pass only what malloc and its kin returned
// WORD: acre: fatal: ACRE_HEAP has 'limits=3M'; it may have limit=SIZE, growth=SIZE,
// WORD-SAME: budget=PERCENT, increment=SIZE, pause=MICROSECONDS, whole, report, report=STATUS,
// WORD-SAME: check, poison and stress, with commas between them, and sizes end in K, M or G
// SIZE: acre: fatal: ACRE_HEAP has 'limit=3X'; it may have limit=SIZE, growth=SIZE,
// SIZE-SAME: budget=PERCENT, increment=SIZE, pause=MICROSECONDS, whole, report, report=STATUS,
// SIZE-SAME: check, poison and stress, with commas between them, and sizes end in K, M or G
// BUDGET: acre: fatal: ACRE_HEAP has 'budget=101'; it may have limit=SIZE, growth=SIZE,
// BUDGET-SAME: budget=PERCENT, increment=SIZE, pause=MICROSECONDS, whole, report, report=STATUS,
// BUDGET-SAME: check, poison and stress, with commas between them, and sizes end in K, M or G
// STATIC: -facre-malloc=collected needs the C library as a shared library
// CHOICE: the choices are plain, collected and quarantine
// PASS: needs Acre's pass
#include "Inputs/check.h"
#include <errno.h>

static void *kept[1000];

int main(int count, char **arguments) {
  char *p = malloc(100);
  if (count > 1 && strcmp(arguments[1], "inside") == 0)
    free(p + 8);
  if (count > 1 && strcmp(arguments[1], "full") == 0) {
    int i = 0;
    while ((kept[i] = malloc(1 << 20)) != NULL)
      i++;
    CHECK(errno == ENOMEM && i > 10 && i < 40);
    memset(kept, 0, sizeof kept);
    CHECK(malloc(1 << 20) != NULL);
  }
  return 0;
}
