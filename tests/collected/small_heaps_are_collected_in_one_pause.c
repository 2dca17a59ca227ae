// A collection that is expected to take no longer than pause= says is one pause: with a second
// for each there is not one step, and with none there are steps.
// RUN: rm -f %t.one %t.steps %t.c.steps
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t
// RUN: env ACRE_HEAP=pause=1000000 ACRE_TRACE=%t.one %t
// RUN: env ACRE_HEAP=pause=0 ACRE_TRACE=%t.steps %t
// RUN: FileCheck %s --check-prefix=ONE --implicit-check-not='"name":"increment"' < %t.one
// RUN: FileCheck %s --check-prefix=STEPS < %t.steps
// RUN: %acre-cc -O2 -facre-malloc=collected %s -o %t.c
// RUN: env ACRE_HEAP=increment=2K ACRE_TRACE=%t.c.steps %t.c
// RUN: FileCheck %s --check-prefix=STEPS < %t.c.steps
// ONE: "name":"finish"
// STEPS: "name":"increment"
// STEPS: "name":"finish"
#include "Inputs/check.h"

enum { KEPT = 200, SIZE = 1000, ROUNDS = 40000 };

int main(void) {
  static char *kept[KEPT];
  for (int i = 0; i < ROUNDS; i++) {
    free(kept[i % KEPT]);
    kept[i % KEPT] = malloc(SIZE);
    CHECK(kept[i % KEPT] != NULL);
    kept[i % KEPT][SIZE - 1] = (char)i;
  }
  return 0;
}
