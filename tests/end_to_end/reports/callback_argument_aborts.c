// A structure on the stack whose address goes to a callback as its argument.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:37: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:32
// CHECK-NEXT: 1. local variable 'walk' of function main, live across the call at [[FILE]]:37,
// CHECK-SAME: stored as 'walk->best' at [[FILE]]:26 in visit, points to struct entry allocated at
// CHECK-SAME: [[FILE]]:31
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct walk {
  long seen;
  struct entry *best;
};

static void visit(struct entry *e, void *argument) {
  struct walk *walk = argument;
  walk->seen++;
  walk->best = e;
}

__attribute__((noinline)) static void each(region r, void (*call)(struct entry *, void *),
                                           void *argument) deletes {
  call(ralloc(r, struct entry), argument);
  deleteregion(r);
}

int main(void) deletes {
  struct walk walk = {0, 0};
  each(newregion(), visit, &walk);
  return (int)walk.best->key;
}
