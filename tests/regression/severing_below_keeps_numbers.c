// A clear that severed set numbers below to null, and pointers there where traps were asked for.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct pair {
  struct pair *pointer;
  long number;
};

static NOINLINE struct pair *below(region r, region sub) {
  struct pair *top = ralloc(r, struct pair), *pair = ralloc(sub, struct pair);
  pair->pointer = top;
  pair->number = (long)top;
  return pair;
}

static NOINLINE void clear(acre_delete_policy policy) deletes {
  region r = newregion(), sub = newsubregion(r);
  acre_set_delete_policy(policy);
  struct pair *pair = below(r, sub);
  const long number = pair->number;
  CHECK(clearregion_only(r));
  CHECK(pair->number == number);
  CHECK((pair->pointer != NULL) == (policy == ACRE_DELETE_TRAP));
  CHECK((long)pair->pointer != number);
}

int main(void) {
  clear(ACRE_DELETE_SEVER);
  clear(ACRE_DELETE_TRAP);
}
