// A pointer with a mark in its low bit.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:25: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:28
// CHECK-NEXT: 1. field 'tagged' of struct owner allocated at [[FILE]]:26 in the region created at
// CHECK-SAME: [[FILE]]:25, stored at [[FILE]]:27 in main, points to offset 1 of struct entry
// CHECK-SAME: allocated at [[FILE]]:27
// CHECK-NEXT: hint: clear these fields first, or delete the regions that hold them together with
// CHECK-SAME: this one (deleteregion_array)
#include <stdint.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct owner {
  long number;
  struct entry *tagged;
};

int main(void) {
  region owners = newregion(), r = newregion();
  struct owner *o = ralloc(owners, struct owner);
  o->tagged = (struct entry *)((uintptr_t)ralloc(r, struct entry) | 1);
  deleteregion(r);
  deleteregion(owners);
  return 0;
}
