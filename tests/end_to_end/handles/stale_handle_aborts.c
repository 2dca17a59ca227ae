// RUN: %each_level --expect-abort "acre: fatal" -o %t %s
// Using a handle whose region is gone aborts, also after the region's place is used again.
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  deleteregion(r);
  for (int i = 0; i < 1000; i++)
    newregion();
  ralloc(r, node);
}
