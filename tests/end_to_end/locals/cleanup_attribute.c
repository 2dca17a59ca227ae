// Variables with a cleanup function count until the cleanup has run, and no longer.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static int cleaned;
static region in;

static void clean(node **slot) {
  CHECK(*slot && (*slot)->value == 42);
  cleaned++;
}
static NOINLINE void scope(int leave) deletes {
  node *first __attribute__((cleanup(clean))) = new_node(in);
  CHECK_HELD(in, 1);
  if (leave)
    return;
  for (int i = 0; i < 3; i++) {
    node *second __attribute__((cleanup(clean))) = new_node(in);
    CHECK_HELD(in, 2);
  }
}

int main(void) deletes {
  in = newregion();
  scope(0);
  CHECK(cleaned == 4);
  CHECK_COUNT(in, 0);
  scope(1);
  CHECK(cleaned == 5);
  CHECK_COUNT(in, 0);
  DELETE_ACCEPTED(in);
}
