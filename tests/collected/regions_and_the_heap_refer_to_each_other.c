// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,check,growth=1M %t.O2
// An object that only a region refers to lives. A region that a collected object refers to is not
// deleted; one that only garbage refers to is.
#include "Inputs/check.h"
#include <acre/acre.h>

typedef struct both {
  struct both *next;
  item *object;
} both;

static both *of_regions;
static both **in_heap;

__attribute__((noinline)) static void fill(region r, int count) {
  for (int i = 0; i < count; i++) {
    both *b = ralloc(r, both);
    b->next = of_regions;
    b->object = new_item((unsigned long)i);
    of_regions = b;
  }
}

__attribute__((noinline)) static void make_garbage(region r) {
  for (int i = 0; i < 100; i++) {
    both **cell = malloc(sizeof *cell * 4);
    cell[1] = ralloc(r, both);
    cell[3] = cell[1];
  }
}

int main(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region r = newregion(), s = newregion();
  fill(r, 1000);
  churn();
  int seen = 0;
  for (both *b = of_regions; b; b = b->next, seen++)
    CHECK(is_whole(b->object, (unsigned long)(999 - seen)));
  CHECK(seen == 1000);
  in_heap = malloc(sizeof *in_heap);
  *in_heap = of_regions;
  of_regions = NULL;
  CHECK(!deleteregion(r));
  make_garbage(s);
  CHECK(deleteregion(s));
  CHECK(is_whole((*in_heap)->object, 999));
  *in_heap = NULL;
  CHECK(deleteregion(r));
  CHECK(acre_collected_check());
}
