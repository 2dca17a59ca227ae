// Handles in globals, objects and arrays are not references; a stale handle is caught;
// deleteregion_ptr clears its own.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct request {
  region own;
  region *where;
};
static region global;

int main(void) deletes {
  global = newregion();
  struct request *q = ralloc(global, struct request);
  q->own = global;
  q->where = &global;
  CHECK_COUNT(global, 0);
  region copy = global, *where = q->where;
  node *n = new_node(global);
  acre_region_set_delete_policy(global, ACRE_DELETE_REFUSE);
  CHECK(!deleteregion_ptr(where));
  CHECK(global == copy && n->value == 42);
  CHECK(deleteregion_ptr(where));
  CHECK(!global && !acre_region_is_live(copy));
  region array[3] = {newregion(), newregion(), newregion()};
  CHECK(array[0] != copy && array[1] != copy && array[2] != copy);
  for (int i = 0; i < 3; i++)
    CHECK(deleteregion(array[i]));
}
