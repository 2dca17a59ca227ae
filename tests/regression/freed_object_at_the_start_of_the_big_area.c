// With -facre-malloc=quarantine pointers to the first large object were looked up in the last page
// of small ones, whose freed objects are none, and so did not keep it: it was used again.
// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t && %t
#include <acre/collected.h>
#include <stdlib.h>
#include <string.h>

static char *volatile kept;

/* The second one is kept as ever. */
static char *volatile second;

int main(void) {
  kept = malloc(20000);
  second = malloc(20000);
  memset(kept, 1, 20000);
  memset(second, 2, 20000);
  free(kept);
  free(second);
  for (int i = 0; i < 20; i++) {
    acre_collected_collect();
    memset(malloc(20000), 3, 20000);
  }
  return kept[0] == 3 || second[0] == 3;
}
