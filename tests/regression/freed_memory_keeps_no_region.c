// What was freed kept a region on the collected heap as long as a variable still named it: the
// delete was refused, and with the C library's malloc it was not.
// RUN: %acre-cc -O0 %s -o %t && %t
// RUN: %acre-cc %s -o %t -facre-malloc=collected && %t still
// RUN: %acre-cc %s -o %t -facre-malloc=quarantine && %t still
#include <acre/acre.h>
#include <stdlib.h>

struct item {
  int number;
};

int main(int count, char **words) deletes {
  (void)words;
  region r = newregion();
  struct item **items = malloc(8 * sizeof *items), ***volatile kept = &items;
  struct item **large = calloc(5000, sizeof *large);
  items[3] = large[4000] = ralloc(r, struct item);
  free(items);
  free(large);
  if (!deleteregion(r))
    return 1;
  /* A use after free, which is harmless on these heaps. */
  return count == 1 ? 0 : (*kept)[3] != NULL || large[4000] != NULL;
}
