// Text copied into reused malloc memory ended in a word whose other bytes were a pointer of the
// block's last use: a delete was refused.
// RUN: %each_level -o %t %s
#include <acre/region.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 12, BYTES = WORDS * sizeof(int *) };
static char text[BYTES + 1];
static char *volatile kept;

static int **filled(region r) {
  int **block = malloc(BYTES);
  for (int i = 0; i < WORDS; i++)
    block[i] = ralloc(r, int);
  return block;
}

/* Each length ends in another place of another word. */
static void reuse(void) {
  for (size_t size = 1; size < BYTES; size += 7) {
    char *copy = malloc(BYTES);
    memcpy(copy, text, size);
    kept = copy;
    memmove(copy + 1, copy, size);
    strncpy(copy, text, size);
    free(copy);
  }
}

/* Pointers that are copied in pieces of a word or more, in either order, are counted. */
static int are_counted_in_pieces(region r, size_t middle) {
  int *all[3] = {ralloc(r, int), ralloc(r, int), ralloc(r, int)};
  char *copy = calloc(2, sizeof all), *from = (char *)all;
  memcpy(copy + middle, from + middle, sizeof all - middle);
  memcpy(copy, from, middle);
  memcpy(copy + sizeof all, from, middle);
  memcpy(copy + sizeof all + middle, from + middle, sizeof all - middle);
  kept = copy;
  int are_counted = acre_region_count(r) == 6;
  free(copy);
  return are_counted;
}

int main(void) {
  memset(text, '/', sizeof text - 1);
  region r = newregion();
  for (volatile size_t middle = sizeof(int *); middle <= 2 * sizeof(int *); middle++)
    if (!are_counted_in_pieces(r, middle))
      return 1;
  free(filled(r));
  reuse();
  free(realloc(filled(r), 2 * BYTES));
  reuse();
  kept = realloc(filled(r), BYTES - 3 * sizeof(int *));
  char *tail = realloc(kept, BYTES);
  memcpy(tail + BYTES - 2 * sizeof(int *), text, 1);
  kept = tail;
  if (acre_region_count(r) != WORDS - 3)
    return 2;
  free(tail);
  return !deleteregion(r);
}
