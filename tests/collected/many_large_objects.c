// RUN: %acre-cc -facre-malloc=collected -o %t %s
// RUN: %t && %t && %t && %t && %t
// What the collector notes of pages of cells it does not note of large objects, for which there is
// no room: it wrote behind the table, where other tables of the runtime are, by chance that of the
// regions.
#include "Inputs/check.h"

enum { OBJECTS = 4000, SIZE = 1 << 20 };

static char *objects[OBJECTS];

int main(void) {
  for (int i = 0; i < OBJECTS; i++) {
    objects[i] = calloc(1, SIZE);
    if (i % 400 == 0)
      churn();
  }
  for (int i = 0; i < OBJECTS; i++)
    CHECK(acre_collected_owns(objects[i]) && objects[i][SIZE / 2] == 0);
}
