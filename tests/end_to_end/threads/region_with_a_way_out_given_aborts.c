// A region that points into another one of the thread is not given away, and the report says where.
// RUN: %each_level --expect-abort -o %t %s -- -g
// ABORT: acre: fatal: cannot give away the region created at [[FILE]]:[[@LINE+13]]: 1 reference to
// ABORT-SAME: other regions remains
// ABORT-NEXT: acre_region_give called at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: it would lead another thread into what stays with this one:
// ABORT-NEXT: 1. field 'other' of node allocated at check.h:{{[0-9]+}} in the region created at
// ABORT-SAME: [[FILE]]:[[@LINE+8]] points to node allocated at check.h:{{.*}} the region created at
// ABORT-SAME: [[FILE]]:[[@LINE+8]]
// ABORT-NEXT: hint: clear these fields first, or copy what they point to into the region
#include "../Inputs/check.h"

static NOINLINE void fill(region given, region kept) { new_node(given)->other = new_node(kept); }

int main(void) deletes {
  region given = newregion();
  region kept = newregion();
  fill(given, kept);
  giveregion(given);
}
