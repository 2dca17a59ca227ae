// Pointers stored in malloc memory count; overwriting and free give the counts back.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion(), s = newregion();
  node **slots = malloc(3 * sizeof *slots);
  slots[0] = new_node(r);
  slots[1] = new_node(s);
  slots[2] = slots[0];
  CHECK_COUNT(r, 2);
  CHECK_COUNT(s, 1);
  slots[0] = slots[1];
  CHECK_COUNT(r, 1);
  CHECK_COUNT(s, 2);
  DELETE_REFUSED(s);
  DELETE_REFUSED(r);
  CHECK(slots[2]->value == 42);
  free(slots);
  CHECK_COUNT(r, 0);
  CHECK_COUNT(s, 0);
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
}
