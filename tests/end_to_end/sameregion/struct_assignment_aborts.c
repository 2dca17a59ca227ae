// Struct assignment into a region checks the sameregion fields that it copies.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+21]]: in main: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct list allocated at [[FILE]]:[[@LINE+15]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct list allocated at [[FILE]]:[[@LINE+15]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+11]]
#include "../Inputs/check.h"

struct list {
  long key;
  struct list *sameregion next;
  long more[4];
};

int main(void) {
  region r = newregion();
  region s = newregion();
  struct list *a = ralloc(r, struct list);
  struct list *b = ralloc(s, struct list);
  *b = *a;
  a->next = a;
  *b = *a;
}
