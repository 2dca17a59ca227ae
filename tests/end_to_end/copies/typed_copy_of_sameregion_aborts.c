// A copy of a small object with a union checks its sameregion slot, wherever the object goes.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+17]]: in move: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+19]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: offset 16 of array of 2 struct other allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+18]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct other allocated at [[FILE]]:[[@LINE+18]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+15]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+14]]
#include "../Inputs/check.h"

struct other {
  struct other *sameregion next;
  union {
    node *p;
    long n;
  } u;
};

static NOINLINE void move(volatile struct other *to, struct other *from) { *to = *from; }

int main(void) {
  region r = newregion(), s = newregion();
  struct other *a = rarrayalloc(r, 2, struct other), *b = rarrayalloc(r, 2, struct other);
  struct other *c = ralloc(s, struct other);
  a->next = a + 1;
  move(b, a);
  CHECK(b->next == a + 1);
  move(c, b + 1);
  move(c, b);
}
