// A traditional slot rejects a pointer into a region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+16]]: in main: traditional pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: text "copied"
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'text' of struct item allocated at [[FILE]]:[[@LINE+11]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+9]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+8]]
#include "../Inputs/check.h"

struct item {
  char *traditional text;
};

int main(void) {
  region r = newregion();
  struct item *a = ralloc(r, struct item);
  a->text = "constant";
  a->text = rstrdup(r, "copied");
}
