// An address-taken local stops counting at the end of its block, however control leaves the block.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  {
    node *scoped = new_node(r);
    opaque(&scoped);
    CHECK_HELD(r, 1);
  }
  CHECK_COUNT(r, 0);
  for (int i = 0; i < 10; i++) {
    node *in_loop = new_node(r);
    opaque(&in_loop);
    CHECK_HELD(r, 1);
    if (i % 3 == 1)
      continue;
    if (i == 8)
      break;
  }
  CHECK_COUNT(r, 0);
  int again = 0;
back: {
  node *jumped[3];
  opaque(jumped);
  jumped[1] = new_node(r);
  CHECK_HELD(r, 1);
  if (again++ < 3)
    goto back;
}
  CHECK_COUNT(r, 0);
  switch (again) {
  default: {
    node *in_switch = new_node(r);
    opaque(&in_switch);
    CHECK_HELD(r, 1);
    break;
  }
  }
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
