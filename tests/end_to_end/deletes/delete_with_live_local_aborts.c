// By default a delete that would leave a live local dangling aborts and names the local.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+10]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: 1. local variable 'cursor' of function main, live across the call at
// ABORT-SAME: [[FILE]]:[[@LINE+8]], points to node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// ABORT-SAME: using it, before
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  node *cursor = new_node(r);
  deleteregion(r);
  return (int)cursor->value;
}
