// The delete of a region was refused because of a subregion that was deferred and that nothing
// referred to any more: it goes at a later delete, and this is one.
// RUN: %acre-cc -O0 %s -o %t && %t
// RUN: %acre-cc -O2 %s -o %t && %t
#include <acre/acre.h>
#include <stdlib.h>

#define CHECK(is_true) ((is_true) ? (void)0 : abort())

static long *kept;

static void defer_child(region parent) deletes {
  region child = newsubregion(parent);
  acre_region_set_delete_policy(child, ACRE_DELETE_DEFER);
  kept = ralloc(child, long);
  CHECK(deleteregion(child));
}

int main(void) {
  region one = newregion();
  defer_child(one);
  kept = NULL;
  CHECK(deleteregion(one));

  region several[] = {newregion(), newregion(), newregion()};
  for (int i = 0; i < 3; i++)
    defer_child(several[i]);
  kept = NULL;
  CHECK(deleteregion_array(3, several));

  /* One that is still referred to is in the way. */
  region other = newregion();
  acre_region_set_delete_policy(other, ACRE_DELETE_REFUSE);
  defer_child(other);
  CHECK(!deleteregion(other));
  kept = NULL;
  CHECK(deleteregion(other));
  return 0;
}
