// RUN: %each_level --expect-abort "some_global" -o %t %s
// By default a delete that would leave a global dangling aborts and names the global.
#include "../Inputs/check.h"

node *some_global;

int main(void) deletes {
  region r = newregion();
  some_global = new_node(r);
  deleteregion(r);
}
