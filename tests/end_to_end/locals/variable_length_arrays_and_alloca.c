// Variable-length arrays and alloca memory count while they live and give back at scope end or
// return.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <alloca.h>

static NOINLINE void vla(region r, int length) deletes {
  for (int round = 1; round < 5; round++) {
    node *array[length * round];
    opaque(array);
    for (int i = 0; i < length * round; i++)
      array[i] = i % 2 ? 0 : new_node(r);
    CHECK_HELD(r, (length * round + 1) / 2);
  }
  CHECK_COUNT(r, 0);
}
static NOINLINE void with_alloca(region r, int length) deletes {
  size_t count = 0;
  for (int round = 1; round < 5; round++) {
    node **array = alloca(length * sizeof *array);
    opaque(array);
    for (int i = 0; i < length; i++)
      array[i] = new_node(r);
    CHECK_HELD(r, count += length);
  }
}
static NOINLINE long live_vla(region r, int length) deletes {
  node *array[length];
  for (int i = 0; i < length; i++)
    array[i] = new_node(r);
  DELETE_REFUSED(r);
  return array[length - 1]->value;
}
static NOINLINE void vla_of_structs(region r, int length) deletes {
  struct pair {
    node *a, *b;
  } pairs[length], *all = opaque(pairs);
  for (int i = 0; i < length; i++)
    all[i] = (struct pair){new_node(r), 0};
  CHECK_HELD(r, length);
  pairs[1] = pairs[0];
  pairs[0] = (struct pair){0, 0};
  CHECK_HELD(r, length - 1);
}

int main(void) deletes {
  region r = newregion();
  int length = (int)(long)opaque((void *)7);
  vla(r, length);
  with_alloca(r, length);
  CHECK_COUNT(r, 0);
  CHECK(live_vla(r, length) == 42);
  CHECK_COUNT(r, 0);
  vla_of_structs(r, length);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
