// An integer that happens to look like a pointer, in a copy of unknown bytes, is called one.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:26: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:34
// CHECK-NEXT: 1. integer member 'hashes[2]' of struct record allocated at [[FILE]]:27 in the region
// CHECK-SAME: created at [[FILE]]:26, stored at [[FILE]]:32 in main, holds a number that looks like
// CHECK-SAME: a pointer to struct entry allocated at [[FILE]]:29
// CHECK-NEXT: hint: if the integer is only a number, set it to 0 before, or keep it so that no
// CHECK-SAME: delete takes it for a pointer (~number)
#include <stdint.h>
#include <string.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct record {
  struct entry *first;
  uint64_t sizes[2], hashes[4];
};

int main(void) {
  region records = newregion(), r = newregion();
  struct record *to = ralloc(records, struct record);
  uint64_t hashes[4] = {1, 2, 3, 4};
  hashes[2] = (uint64_t)(uintptr_t)ralloc(r, struct entry);
  const void *bytes = hashes;
  void *place = to->hashes;
  memcpy(place, bytes, sizeof hashes);
  hashes[2] = 0;
  deleteregion(r);
  deleteregion(records);
  return 0;
}
