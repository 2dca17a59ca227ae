// Elements of an array of sameregion pointers are checked.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+18]]: in main: sameregion pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'entries[5]' of struct table allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+10]] in the region created at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+9]]
#include "../Inputs/check.h"

struct table {
  int used;
  node *sameregion entries[8];
};

int main(void) {
  struct table *t = ralloc(newregion(), struct table);
  region other = newregion();
  t->entries[3] = 0;
  node *sameregion *entry = &t->entries[(long)opaque((void *)5)];
  *entry = new_node(other);
}
