// RUN: %each_level -o %t %s -- -facre-malloc=quarantine
// RUN: env ACRE_HEAP=poison,check,growth=64K %t.O2
// With a quarantine, too, a pointer in memory that was freed or resized refuses no delete of its
// region, and one in memory that was not freed does. Null may be freed.
#include "Inputs/check.h"
#include <acre/acre.h>

typedef struct both {
  struct both *next;
  item *object;
} both;

enum { CELLS = 1000 };
static both **cells[CELLS];

int main(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region r = newregion();
  for (int i = 0; i < CELLS; i++) {
    cells[i] = malloc((size_t)(i % 100 + 4) * (i % 7 ? 8 : 800));
    cells[i][1] = ralloc(r, both);
    cells[i][1]->object = new_item((unsigned long)i);
    cells[i][3] = cells[i][1];
  }
  free(NULL);
  churn();
  CHECK(!deleteregion(r));
  for (int i = 0; i < CELLS; i++) {
    CHECK(is_whole(cells[i][3]->object, (unsigned long)i));
    if (i % 3 == 0)
      cells[i] = realloc(cells[i], 100000);
    CHECK(cells[i][1] == cells[i][3]);
  }
  CHECK(!deleteregion(r));
  for (int i = 0; i < CELLS; i++)
    free(cells[i]);
  churn();
  CHECK(deleteregion(r));
  CHECK(acre_collected_check());
}
