// Deleting a region with a live subregion aborts by default.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+8]]: it has 1 live
// ABORT-SAME: subregion
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+8]]
// ABORT-NEXT: subregion: the region created at [[FILE]]:[[@LINE+6]]
// ABORT-NEXT: hint: delete the subregions first, or together with their parent (deleteregion_array)
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  newsubregion(r);
  deleteregion(r);
}
