// An arena that was moved below a region belonged, once closed, to no thread below one that has it.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot move the region created at [[FILE]]:[[@LINE+8]] below the region
// ABORT-SAME: created at [[FILE]]:[[@LINE+6]], because a block or a key ends it
// ABORT-NEXT: acre_region_reparent called at [[FILE]]:[[@LINE+9]]
#include <acre/acre.h>
#include <acre/scope.h>

int main(void) deletes {
  region above = newregion();
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    acre_region_reparent(r, above);
  }
  acre_key_drop(key);
}
