// The slots of a result in memory are checked when it is assigned, not when it is made.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+25]]: in main: sameregion pointer may not point into region
// ABORT-SAME: 'other' (created at [[FILE]]:[[@LINE+20]])
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct record allocated at [[FILE]]:[[@LINE+13]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct record allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+19]] in the region created at [[FILE]]:[[@LINE+16]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+15]]
#include <acre/region.h>

struct record {
  struct record *sameregion next;
  long a, b, c;
};

__attribute__((noinline)) static struct record make(region r) {
  struct record made = {0};
  made.next = ralloc(r, struct record);
  return made;
}

int main(void) {
  region r = newregion();
  region other = newregion();
  acre_region_set_name(other, "other");
  struct record *x = ralloc(r, struct record);
  *x = make(r);
  *x = make(other);
  return x->next != 0;
}
