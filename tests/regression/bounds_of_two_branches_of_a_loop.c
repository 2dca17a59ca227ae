// Clang crashed: a check made of two, in the branches of an `if`, left its loop without its line.
// RUN: %each_level -o %t %s -- -g -facre-bounds
// RUN: %each_level --expect-abort -o %t %s -- -g -facre-bounds -DCOUNT=11
// ABORT: acre: fatal: [[FILE]]:{{16|18}}: in fill: access of {{1|11}} bytes
// ABORT-SAME: at offset {{0|10}} of an object of 10 bytes
// ABORT-NEXT: object 0x{{[0-9a-f]+}}: array of 10 char allocated at [[FILE]]:{{[0-9]+}}
#include "../end_to_end/Inputs/check.h"

#ifndef COUNT
#define COUNT 10
#endif

NOINLINE static void fill(char *to, const char *choice, int count) {
  for (int i = 0; i < count; i++)
    if (choice[i])
      to[i] = 5;
    else
      to[i] = 6;
}

NOINLINE static int append(char *to, const char *choice, int count) {
  int at = 0;
  for (int i = 0; i < count; i++)
    switch (choice[i]) {
    case 0:
      to[at++] = 1;
      to[at++] = 2;
      break;
    case 1:
      to[at++] = 1;
      to[at++] = 3;
      to[at++] = 4;
      break;
    default:
      to[at++] = 1;
    }
  int sum = 0;
  for (int i = 0; i < at; i++)
    sum += to[i];
  return sum;
}

int main(void) {
  region r = newregion();
  char *to = rarrayalloc(r, 10, char), *choice = rarrayalloc(r, 12, char),
       *text = rarrayalloc(r, 64, char);
  for (int i = 0; i < 12; i++)
    choice[i] = i % 2 == 1;
  fill(to, choice, COUNT);
  CHECK(to[0] == 6 && to[9] == 5);
  CHECK(append(text, choice, 12) == 6 * (1 + 2) + 6 * (1 + 3 + 4));
  to = choice = text = NULL;
  deleteregion(r);
}
