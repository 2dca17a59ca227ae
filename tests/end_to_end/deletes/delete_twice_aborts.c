// Deleting a region twice aborts with a message.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: deleteregion: the region created at [[FILE]]:[[@LINE+6]] was deleted at
// ABORT-SAME: [[FILE]]:[[@LINE+7]]
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+7]]
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  region copy = r;
  deleteregion(r);
  deleteregion(copy);
}
