// RUN: %acre-cc -O1 -g -facre-malloc=quarantine %s -o %t
// RUN: %t 2>&1 | %whole %s
// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t
// RUN: %t 2>&1 | %whole %s --check-prefix=PLAIN
// With a quarantine free of what was freed before is told, and does nothing; so is realloc, which
// returns a copy.  Small objects and large ones, and those with an alignment of their own.
// CHECK: acre: [[FILE]]:31: in main: free: 0x{{[0-9a-f]+}} was freed before
// CHECK: acre: [[FILE]]:33: in main: free: 0x{{[0-9a-f]+}} was freed before
// CHECK: acre: [[FILE]]:35: in main: free: 0x{{[0-9a-f]+}} was freed before
// CHECK: acre: [[FILE]]:37: in main: free: 0x{{[0-9a-f]+}} was freed before
// CHECK: acre: [[FILE]]:38: in main: realloc: 0x{{[0-9a-f]+}} was freed before
// PLAIN-COUNT-4: acre: free: 0x{{[0-9a-f]+}} was freed before
// PLAIN: acre: realloc: 0x{{[0-9a-f]+}} was freed before
#include "Inputs/check.h"

static void *volatile small, *volatile large, *volatile huge, *volatile aligned, *volatile grown;

int main(void) {
  small = malloc(20);
  large = malloc(50000);
  huge = malloc(5000000);
  aligned = aligned_alloc(256, 100);
  grown = malloc(30);
  memset(grown, 'a', 30);
  free(small);
  free(large);
  free(huge);
  free(aligned);
  free(grown);
  acre_collected_collect();
  free(small);

  free(large);

  free(huge);

  free(aligned);
  char *copy = realloc(grown, 1000);
  CHECK(copy != grown && copy[29] == 0); /* the collection has cleared it */
  acre_collected_collect();
  CHECK(acre_collected_check());
}
