// memcpy into a region checks the sameregion fields that it writes.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+21]]: in main: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: array of 4 struct list allocated at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field '[3].next' of array of 4 struct list allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+13]] in the region created at [[FILE]]:[[@LINE+11]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+10]]
#include "../Inputs/check.h"

struct list {
  long key;
  struct list *sameregion next;
};

int main(void) {
  region r = newregion();
  region s = newregion();
  struct list *a = rarrayalloc(r, 4, struct list);
  struct list *b = rarrayalloc(s, 4, struct list);
  memcpy(b, a, 4 * sizeof *a);
  a[3].next = a;
  memcpy(b, a, 3 * sizeof *a);
  memcpy(b, a, 4 * sizeof *a);
}
