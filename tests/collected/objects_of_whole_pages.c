// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O0
// RUN: %t.O2
// RUN: env ACRE_HEAP=growth=256K,poison %t.O2
// RUN: env ACRE_HEAP=growth=256K,pause=0,poison,check %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// An object that has its pages to the last byte is kept by the address behind it, and one grows in
// place only as far as that is no other object's start.
#include "Inputs/check.h"

enum { ENDS = 100, WHOLE = 16384 };

static char *ends[ENDS];

static char *made(int i) {
  char *p = malloc((size_t)(WHOLE - i % 3));
  p = realloc(p, WHOLE - 2);
  return memset(realloc(p, WHOLE), i, WHOLE);
}

int main(void) {
  for (int i = 0; i < 20 * ENDS; i++) {
    int at = i * 7 % ENDS;
    CHECK(!ends[at] || (ends[at][-1] == (char)(i - ENDS) && ends[at][-WHOLE] == (char)(i - ENDS)));
    ends[at] = made(i) + WHOLE;
  }
  puts("ok");
}
