// RUN: %each_level --expect-abort "cursor" -o %t %s
// By default a delete that would leave a live local dangling aborts and names the local.
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  node *cursor = new_node(r);
  deleteregion(r);
  return (int)cursor->value;
}
