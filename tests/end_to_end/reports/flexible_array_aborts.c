// An element of a flexible array member.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:27: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:32
// CHECK-NEXT: 1. field 'parts[2].entry' of struct packet allocated at [[FILE]]:30 in the region
// CHECK-SAME: created at [[FILE]]:27, stored at [[FILE]]:31 in main, points to struct entry
// CHECK-SAME: allocated at [[FILE]]:31
// CHECK-NEXT: hint: clear these fields first, or delete the regions that hold them together with
// CHECK-SAME: this one (deleteregion_array)
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct packet {
  int length;
  struct {
    long size;
    struct entry *entry;
  } parts[];
};

int main(void) {
  region packets = newregion(), r = newregion();
  struct packet *p = acre_region_alloc(packets, sizeof *p + 3 * sizeof p->parts[0],
                                       _Alignof(struct packet),
                                       ACRE_TYPE(struct packet));
  p->parts[2].entry = ralloc(r, struct entry);
  deleteregion(r);
  deleteregion(packets);
  return 0;
}
