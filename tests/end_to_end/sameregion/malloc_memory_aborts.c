// A sameregion slot in a region rejects a pointer to malloc memory.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+14]]: in main: sameregion pointer may not point into the
// ABORT-SAME: traditional region
// ABORT-NEXT: value {{0x[0-9a-f]+}}: no object of a region
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct list allocated at [[FILE]]:[[@LINE+10]]
// ABORT-SAME: in the region created at [[FILE]]:[[@LINE+9]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+8]]
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
};

int main(void) {
  struct list *a = ralloc(newregion(), struct list);
  a->next = malloc(sizeof *a);
}
