// Using a handle whose region is gone aborts, also after the region's place is used again.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: ralloc: the region created at [[FILE]]:[[@LINE+6]] was deleted at
// ABORT-SAME: [[FILE]]:[[@LINE+6]]
// ABORT-NEXT: ralloc called at [[FILE]]:[[@LINE+8]] in main
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  deleteregion(r);
  for (int i = 0; i < 1000; i++)
    newregion();
  ralloc(r, node);
}
