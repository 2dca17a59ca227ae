// The element of an array of arrays was named by one index, which it does not have.
// RUN: %acre-cc -g %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: not --crash %t rows 2>&1 | %whole %s --check-prefix=ROWS
// RUN: not --crash %t deep 2>&1 | %whole %s --check-prefix=DEEP
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:[[NEW:[0-9]+]]: 1 reference
// CHECK-SAME: from outside remains
// CHECK-NEXT: deleteregion called at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: 1. global variable 'flat[2][1]' ([[FILE]]:{{[0-9]+}}) points to
// CHECK-SAME: struct node allocated at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: hint: set these variables to null before the region is deleted
// ROWS: acre: fatal: cannot delete the region created at [[FILE]]:[[NEW:[0-9]+]]: 1 reference
// ROWS-SAME: from outside remains
// ROWS-NEXT: deleteregion called at [[FILE]]:{{[0-9]+}}
// ROWS-NEXT: 1. global variable 'rows[2][1].at[1]' ([[FILE]]:{{[0-9]+}}) points to
// ROWS-SAME: struct node allocated at [[FILE]]:{{[0-9]+}}
// ROWS-NEXT: hint: set these variables to null before the region is deleted
// DEEP: acre: fatal: cannot delete the region created at [[FILE]]:[[NEW:[0-9]+]]: 1 reference
// DEEP-SAME: from outside remains
// DEEP-NEXT: deleteregion called at [[FILE]]:{{[0-9]+}}
// DEEP-NEXT: 1. thread-local variable 'deep[1][2][3]' ([[FILE]]:{{[0-9]+}}) points to
// DEEP-SAME: struct node allocated at [[FILE]]:{{[0-9]+}}
// DEEP-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct node {
  int number;
};
static struct node *flat[4][2];
static struct row {
  int count;
  struct node *at[2];
} rows[3][2];
static _Thread_local struct node *deep[2][3][4];

int main(int argc, char **argv) {
  region r = newregion();
  struct node **slot = argc == 1            ? &flat[2][1]
                       : argv[1][0] == 'r' ? &rows[2][1].at[1]
                                           : &deep[1][2][3];
  *slot = ralloc(r, struct node);
  deleteregion(r);
  return 0;
}
