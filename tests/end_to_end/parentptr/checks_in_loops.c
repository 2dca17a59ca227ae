// Loops over one region whose values come from several: all that the rules allow is stored.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
  struct item *sameregion next;
  long value;
};
struct item *volatile items[6];

static NOINLINE long up(region r, long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; i++) {
    struct item *made = ralloc(r, struct item);
    made->up = items[i % 6];
    sum += made->up ? made->up->value : 0;
  }
  return sum;
}
static NOINLINE void beside(struct item *of, long rounds) {
  for (long i = 0; i < rounds; i++) {
    struct item *made = ralloc(regionof(of), struct item);
    made->up = items[i % 6];
    made->next = of;
    of->next = made;
  }
}
static NOINLINE void in_array(struct item *parentptr *array, long rounds) {
  for (long i = 0; i < rounds; i++)
    array[i] = items[i % 6];
}
/* Each round of the outer loop is about another region. */
static NOINLINE void nested(region outer, long rounds) deletes {
  for (long i = 0; i < rounds; i++) {
    region inner = newsubregion(outer);
    struct item *made[6];
    for (long j = 0; j < 6; j++) {
      made[j] = ralloc(inner, struct item);
      made[j]->up = j < 3 ? items[j] : made[j - 1];
    }
    CHECK(made[5]->up == made[4] && made[2]->up == items[2]);
    for (long j = 0; j < 6; j++)
      made[j] = 0;
    DELETE_ACCEPTED(inner);
  }
}

int main(void) deletes {
  region top = newregion(), middle = newsubregion(top), below = newsubregion(middle);
  region const owners[] = {top, middle, below, top, middle};
  for (long i = 0; i < 5; i++) {
    items[i] = ralloc(owners[i], struct item);
    items[i]->value = i + 1;
  }
  CHECK(up(below, 600) == 1500);
  beside(items[2], 60);
  in_array(rarrayalloc(below, 100, struct item *parentptr), 100);
  nested(below, 20);
  for (long i = 0; i < 5; i++)
    items[i] = 0;
  DELETE_ACCEPTED(below);
  DELETE_ACCEPTED(middle);
  DELETE_ACCEPTED(top);
  return 0;
}
