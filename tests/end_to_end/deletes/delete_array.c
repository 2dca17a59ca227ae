// deleteregion_array deletes a cycle of regions together, all or none.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static node *outside;

int main(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region set[4];
  node *n[4];
  for (int i = 0; i < 4; i++) {
    set[i] = i == 3 ? newsubregion(set[2]) : newregion();
    n[i] = new_node(set[i]);
  }
  for (int i = 0; i < 4; i++)
    n[i]->next = n[(i + 1) % 4];
  outside = n[1];
  CHECK_COUNT(set[1], 2);
  CHECK_COUNT(set[0], 1);
  for (int i = 0; i < 4; i++)
    CHECK(!deleteregion(set[i]));
  CHECK(!deleteregion_array(4, set));
  CHECK(!deleteregion_array(2, set + 2));
  for (int i = 0; i < 4; i++)
    CHECK(acre_region_is_live(set[i]));
  CHECK_COUNT(set[1], 2);
  CHECK(outside->next->next->next->next == outside);
  outside = 0;
  region copy[4];
  memcpy(copy, set, sizeof set);
  CHECK(deleteregion_array(4, set));
  for (int i = 0; i < 4; i++)
    CHECK(!acre_region_is_live(copy[i]));
  CHECK(acre_verify());
}
