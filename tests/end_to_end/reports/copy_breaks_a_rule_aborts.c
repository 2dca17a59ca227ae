// Bytes copied without a type break a rule: the message says where.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: [[FILE]]:28: in main: sameregion pointer may not point into the region
// CHECK-SAME: created at [[FILE]]:23
// CHECK-NEXT: value {{0x[0-9a-f]+}}: struct entry allocated at [[FILE]]:25
// CHECK-NEXT: slot {{0x[0-9a-f]+}}: field 'first' of struct list allocated at [[FILE]]:24 in the
// CHECK-SAME: region created at [[FILE]]:23
// CHECK-NEXT: held by the region created at [[FILE]]:23
#include <string.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct list {
  long length;
  struct entry *sameregion first;
};

int main(void) {
  region lists = newregion(), r = newregion();
  struct list *to = ralloc(lists, struct list), *from = ralloc(r, struct list);
  from->first = ralloc(r, struct entry);
  void *place = to;
  const void *bytes = from;
  memcpy(place, bytes, sizeof *from);
  deleteregion(r);
  deleteregion(lists);
  return 0;
}
