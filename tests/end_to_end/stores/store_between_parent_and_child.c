// A plain pointer counts from a region down to its subregion, not up: subregions keep the parent
// alive.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

int main(void) deletes {
  region parent = newregion(), child = newsubregion(parent);
  node *up = new_node(child), *down = new_node(parent);
  up->next = down;
  CHECK_COUNT(parent, 0);
  down->next = up;
  CHECK_COUNT(child, 1);
  DELETE_REFUSED(child);
  DELETE_REFUSED(parent);
  down->next = 0;
  DELETE_ACCEPTED(child);
  CHECK_COUNT(parent, 0);
  DELETE_ACCEPTED(parent);
}
