// UBSan's address checks made a dead local array look reachable, and a correct delete was refused.
// REQUIRES: sanitizers
// RUN: %acre-cc -O1 -fsanitize=undefined -fno-sanitize-recover=all %s -o %t && %t
#include "../end_to_end/Inputs/check.h"

static NOINLINE void dead_array(region r, int which) deletes {
  struct {
    int pad;
    node *slots[3];
  } local = {1, {0}};
  local.slots[which] = new_node(r);
  CHECK(local.slots[which]->value == 42);
  CHECK(deleteregion(r));
}

int main(void) deletes { dead_array(newregion(), (int)(long)opaque((void *)1)); }
