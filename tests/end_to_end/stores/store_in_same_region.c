// A pointer from a region into itself is internal: never counted, cycles included.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  node *a = new_node(r), *b = new_node(r);
  a->next = b;
  b->next = a;
  a->other = a;
  CHECK_COUNT(r, 0);
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
}
