// RUN: %each_level --expect-abort "acre: fatal" -o %t %s
// Deleting a region with a live subregion aborts by default.
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  newsubregion(r);
  deleteregion(r);
}
