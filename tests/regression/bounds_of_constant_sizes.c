// A function of the C library that may access as many bytes as a constant says was not checked
// where its pointer had not been computed.
// RUN: %each_level -o %t %s -- -facre-bounds
// RUN: %each_level --expect-abort -o %t %s -- -facre-bounds -DSIZE=30
// ABORT: acre: fatal: [[FILE]]:{{[0-9]+}}: in line: access of 30 bytes
// ABORT-SAME: at offset 0 of an object of 10 bytes
// ABORT-NEXT: object 0x{{[0-9a-f]+}}: 10 bytes of pointer-free data
#include "../end_to_end/Inputs/check.h"

#ifndef SIZE
#define SIZE 10
#endif

NOINLINE static void line(char *to, FILE *from) {
  if (!fgets(to, SIZE, from))
    abort();
}

int main(int count, char **words) {
  (void)count;
  region r = newregion();
  char *to = rstralloc(r, 10);
  FILE *from = fopen(words[0], "r");
  line(to, from);
  CHECK(!memcmp(to, "\177ELF", 4));
  fclose(from);
  to = NULL;
  deleteregion(r);
}
