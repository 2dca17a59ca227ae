// A struct that is copied to another region takes no handle of its own along.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+18]]: in main: sameregion handle may not name the region
// ABORT-SAME: created at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'own' of struct array allocated at [[FILE]]:[[@LINE+14]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+11]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+10]]
#include "../Inputs/check.h"

struct array {
  long length;
  region sameregion own;
};

int main(void) {
  region r = newregion();
  region other = newregion();
  struct array *a = ralloc(r, struct array);
  struct array *b = ralloc(other, struct array);
  a->own = r;
  *b = *a;
}
