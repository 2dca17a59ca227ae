// A sameregion slot rejects a pointer into another region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+17]]: in main: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct list allocated at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct list allocated at [[FILE]]:[[@LINE+12]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+9]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+8]]
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
};

int main(void) {
  region r = newregion();
  region s = newregion();
  struct list *a = ralloc(r, struct list);
  struct list *b = ralloc(s, struct list);
  a->next = b;
}
