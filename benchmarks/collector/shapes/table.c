/* SPDX-License-Identifier: MIT */
/* table.c - a hash table that grows to a million entries; each growth copies it to one of twice the
 * size.
 */
#include "shape.h"

typedef struct item {
  uint64_t key;
  char name[24];
} item;

int main(int argc, char **argv) {
  size_t count = number_of(argc, argv, 2, 1000000), size = 16, used = 0, sum = 0;
  item **table = calloc(size, sizeof *table);
  uint64_t random = 1;
  for (size_t i = 0; i < count; i++) {
    if (used * 2 >= size) {
      item **larger = calloc(size * 2, sizeof *larger);
      for (size_t j = 0; j < size; j++)
        if (table[j]) {
          size_t at = table[j]->key % (size * 2);
          while (larger[at])
            at = (at + 1) % (size * 2);
          larger[at] = table[j];
        }
      free(table);
      table = larger;
      size *= 2;
    }
    item *new = malloc(sizeof *new);
    new->key = next_random(&random);
    new->name[0] = (char)i;
    size_t at = new->key % size;
    for (; table[at]; at = (at + 1) % size)
      sum += table[at]->key & 1;
    table[at] = new;
    used++;
  }
  return report(sum);
}
