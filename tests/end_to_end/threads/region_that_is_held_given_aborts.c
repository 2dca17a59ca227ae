// A local variable that is used afterwards keeps its region from being given away.
// RUN: %each_level --expect-abort -o %t %s -- -g
// ABORT: acre: fatal: cannot give away the region created at [[FILE]]:[[@LINE+10]]: 1
// ABORT-SAME: reference from outside remains
// ABORT-NEXT: acre_region_give called at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: 1. local variable 'held' of function main, live across the call at
// ABORT-SAME: [[FILE]]:[[@LINE+8]], points to node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// ABORT-SAME: using it, before
#include "../Inputs/check.h"

int main(void) deletes {
  region given = newregion();
  node *held = new_node(given);
  giveregion(given);
  return held->value == 42;
}
