// A report of a local "whose address may be held" did not say who holds it.
// RUN: %acre-cc -O1 %s -o %t && not --crash %t 2>&1 | %whole %s
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:{{[0-9]+}}: 1 reference from
// CHECK-SAME: outside remains
// CHECK-NEXT: deleteregion called at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: 1. local variable 'local' of function keep_and_delete, whose address may be held
// CHECK-SAME: across the call at [[FILE]]:{{[0-9]+}} (global variable 'keeper' ([[FILE]]) has it),
// CHECK-SAME: points to struct node allocated at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: hint: a local still points in, and who was given its address may read it: set it
// CHECK-SAME: to null before
#include <acre/acre.h>

struct node {
  int id;
};
static void *keeper;
static void keep(void *address) { keeper = address; }
static void (*volatile lend)(void *) = keep;

__attribute__((noinline)) static void keep_and_delete(region r) deletes {
  struct {
    struct node *p;
  } local = {ralloc(r, struct node)};
  lend(&local);
  deleteregion(r);
}

int main(void) { keep_and_delete(newregion()); }
