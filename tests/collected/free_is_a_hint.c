// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=64K %t.O2
// RUN: env ACRE_HEAP=report %t.O2 2>&1 | FileCheck %s --check-prefix=REPORT
// Memory that was freed and is still referred to is not used again: reading it reads what was
// stored; freeing it again does nothing. realloc leaves the old memory as it was.
// REPORT: acre: heap "process": the object of 24 bytes at 0x{{[0-9a-f]+}} was freed but is still
// REPORT-SAME: {{^ }}referred to by
#include "Inputs/check.h"

static item *kept[100];

int main(void) {
  for (unsigned long i = 0; i < 100; i++)
    kept[i] = new_item(i);
  for (int i = 0; i < 100; i++)
    free(kept[i]);
  churn();
  for (int i = 0; i < 100; i++)
    CHECK(is_whole(kept[i], (unsigned long)i));
  for (int i = 0; i < 100; i++) {
    free(kept[i]);
    free(kept[i]);
  }
  static char *old, *grown;
  old = malloc(100);
  memset(old, 'a', 100);
  grown = realloc(old, 100000);
  CHECK(grown != old && grown[99] == 'a');
  memset(grown, 'b', 100000);
  churn();
  CHECK(old[0] == 'a' && old[99] == 'a' && grown[99999] == 'b');
  CHECK(realloc(grown, 0) == NULL && realloc(NULL, 10) != NULL);
}
