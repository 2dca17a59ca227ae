// An array on the stack whose length is not constant.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:24: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:26
// CHECK-NEXT: 1. local variable 'list' of function run, live across the call at [[FILE]]:26, stored
// CHECK-SAME: as 'list[]' at [[FILE]]:19 in fill, points to struct entry allocated at [[FILE]]:19
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
__attribute__((noinline)) static void fill(region r, struct entry **list, int count) {
  for (int i = 0; i < count; i++)
    list[i] = i == 2 ? ralloc(r, struct entry) : 0;
}

__attribute__((noinline)) static long run(int count) deletes {
  struct entry *list[count];
  region r = newregion();
  fill(r, list, count);
  deleteregion(r);
  return list[2]->key;
}

int main(int argc, char **argv) deletes {
  (void)argv;
  return (int)run(argc + 4);
}
