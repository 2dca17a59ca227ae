// RUN: %each_level -o %t %s
// Plain pointers count in both directions between a region and its subregion; subregions keep the parent alive.
#include "Inputs/check.h"

int main(void) deletes {
  region parent = newregion(), child = newsubregion(parent);
  node *up = new_node(child), *down = new_node(parent);
  up->next = down;
  CHECK_COUNT(parent, 1);
  down->next = up;
  CHECK_COUNT(child, 1);
  DELETE_REFUSED(child);
  DELETE_REFUSED(parent);
  down->next = 0;
  DELETE_ACCEPTED(child);
  CHECK_COUNT(parent, 0);
  DELETE_ACCEPTED(parent);
}
