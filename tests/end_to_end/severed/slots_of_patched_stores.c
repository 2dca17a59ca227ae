// Slots that a unit without regions sets are severed like others, and what its frames hold is seen.
// RUN: %each_level -o %t %s %S/../Inputs/unit_patched.c
// RUN: %acre-cc -O2 -facre-frames=conservative %s %S/../Inputs/unit_patched.c -o %t && %t
#include "../Inputs/unit_patched.h"
#include "../Inputs/check.h"

static NOINLINE region fill(chain *last) {
  region r = newregion();
  set_element(3, new_node(r));
  join_chains(last, ralloc(r, chain));
  return r;
}

int main(void) {
  chain *last = calloc(1, sizeof *last);
  opaque(last);
  acre_set_delete_policy(ACRE_DELETE_SEVER);
  region r = fill(last);
  chain *held = last->next;
  held->key = 42;
  CHECK(shared_slots[3] && held->previous == last);
  CHECK(deleteregion(r));
  CHECK(!shared_slots[3] && !last->next);
  CHECK(held->key == 42 && held->previous == last);
  set_element(3, held); /* a zombie may be stored, and stays */
  acre_region_reclaim();
  CHECK(shared_slots[3] == held && acre_verify());
  set_element(3, NULL);
  free(last);
  return 0;
}
