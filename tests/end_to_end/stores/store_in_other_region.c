// A pointer from another region counts; deleting the holder gives the count back.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

int main(void) deletes {
  region target = newregion(), holder = newregion();
  node *n = new_node(holder);
  n->next = new_node(target);
  n->other = n->next;
  CHECK_COUNT(target, 2);
  CHECK_COUNT(holder, 0);
  DELETE_REFUSED(target);
  CHECK(n->next->value == 42);
  n->other = n;
  CHECK_COUNT(target, 1);
  DELETE_ACCEPTED(holder);
  CHECK_COUNT(target, 0);
  DELETE_ACCEPTED(target);
}
