// What a later return of setjmp reads did not count at a delete in the same function, although what
// is called behind it may jump there: the handler read what was gone.
// RUN: %acre-cc -O0 %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O2 %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %each_level -o %t %s -- -DCORRECT
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:33: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:39
// CHECK-NEXT: 1. local variable 'n' of function handler, live across the call at [[FILE]]:39,
// CHECK-SAME: points to struct number allocated at [[FILE]]:26
// CHECK-NEXT: hint: a local that is used after the call still points in: set it to null, or finish
// CHECK-SAME: using it, before
#include <acre/acre.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct number {
  int value;
};
static jmp_buf failed;

__attribute__((noinline)) static void fail(void) { longjmp(failed, 1); }

__attribute__((noinline)) static struct number *make(region r) {
  struct number *n = ralloc(r, struct number);
  n->value = 7;
  return n;
}

#ifndef CORRECT
static void handler(void) deletes {
  region r = newregion();
  struct number *n = make(r);
  if (setjmp(failed)) {
    printf("%d\n", n->value);
    return;
  }
  deleteregion(r);
  fail();
}
int main(void) deletes { handler(); }
#else
/* Behind the delete nothing jumps, or what is read there is of another region, or null. */
static int nothing_jumps(void) deletes {
  region r = newregion();
  struct number *n = make(r);
  if (setjmp(failed))
    return n->value;
  deleteregion(r);
  puts("no jump");
  return 0;
}
static int cleared(void) deletes {
  region r = newregion();
  struct number *volatile n = make(r);
  if (setjmp(failed))
    return n ? n->value : 0;
  n = NULL;
  deleteregion(r);
  fail();
  return 1;
}
int main(void) deletes { return nothing_jumps() + cleared(); }
#endif
