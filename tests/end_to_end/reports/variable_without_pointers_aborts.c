// Variables whose types have no pointer: their names are in the file of the program only.
// RUN: for options in -O0 -O2 "-O2 -static" "-O2 -static-pie"; do \
// RUN:   %acre-cc $options -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// RUN: for options in -O0 "-O2 -static"; do %acre-cc $options -s -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole --check-prefix=BARE %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:45: 3 references from outside
// CHECK-SAME: remain
// CHECK-NEXT: deleteregion called at [[FILE]]:49
// CHECK-NEXT: 1. thread-local variable 'of_thread' at offset 16, stored at [[FILE]]:39 in remember,
// CHECK-SAME: points to struct entry allocated at [[FILE]]:47
// CHECK-NEXT: 2. global variable 'remember.in_function' at offset 8, stored at [[FILE]]:40 in
// CHECK-SAME: remember, points to struct entry allocated at [[FILE]]:47
// CHECK-NEXT: 3. global variable 'last', stored as 'last[]' at [[FILE]]:38 in remember, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:47
// CHECK-NEXT: hint: set these variables to null before the region is deleted
// BARE: acre: fatal: cannot delete the region created at [[FILE]]:45: 3 references from outside
// BARE-SAME: remain
// BARE-NEXT: deleteregion called at [[FILE]]:49
// BARE-NEXT: 1. a thread-local variable at 0x{{[0-9a-f]+}}, stored at [[FILE]]:39 in remember,
// BARE-SAME: points to struct entry allocated at [[FILE]]:47
// BARE-NEXT: 2. a global variable of the program at offset {{[0-9]+}}, stored at [[FILE]]:40 in
// BARE-SAME: remember, points to struct entry allocated at [[FILE]]:47
// BARE-NEXT: 3. a global variable of the program at offset {{[0-9]+}}, stored as 'last[]' at
// BARE-SAME: [[FILE]]:38 in remember, points to struct entry allocated at [[FILE]]:47
// BARE-NEXT: hint: set these variables to null before the region is deleted
#include <string.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static char last[sizeof(struct entry)];
static _Thread_local unsigned char of_thread[64];
static void remember(const struct entry *e) {
  static char in_function[40];
  memcpy(last, e, sizeof *e);
  memcpy(of_thread + 16, e, sizeof *e);
  memcpy(in_function + 8, e, sizeof *e);
  __asm__ volatile("" ::"r"(last), "r"(of_thread), "r"(in_function) : "memory");
}

int main(void) {
  region r = newregion();
  struct entry *e = ralloc(r, struct entry);
  e->next = ralloc(r, struct entry);
  remember(e);
  deleteregion(r);
  return 0;
}
