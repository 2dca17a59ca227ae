// A pointer to a variable that had ended, which is never used, ended the program: gzip, libpng and
// tcc did not run with -facre-safe. It faults where it is used, and says whose it was.
// RUN: env ACRE_LOCALS=trap %each_level -o %t %s -- -facre-locals -DUSE=0
// RUN: %acre-cc -O0 -facre-locals -DUSE=1 %s -o %t
// RUN: env ACRE_LOCALS=trap not --crash %t 2>&1 | %whole --check-prefix=GLOBAL %s
// RUN: %acre-cc -O2 -facre-locals -DUSE=1 %s -o %t
// RUN: env ACRE_LOCALS=trap not --crash %t 2>&1 | %whole --check-prefix=GLOBAL %s
// RUN: %acre-cc -O2 -facre-locals -DUSE=2 %s -o %t
// RUN: env ACRE_LOCALS=trap not --crash %t 2>&1 | %whole --check-prefix=OBJECT %s
// RUN: %acre-cc -O2 -facre-locals -DUSE=3 %s -o %t
// RUN: env ACRE_LOCALS= not --crash %t 2>&1 | %whole --check-prefix=CALLER %s
// RUN: env ACRE_LOCALS=abort not --crash %t 2>&1 | %whole --check-prefix=ABORT %s
// RUN: env ACRE_LOCALS=never not --crash %t 2>&1 | %whole --check-prefix=WRONG %s
// GLOBAL: acre: fatal: use of a pointer to the local variable 'number', which has ended at
// GLOBAL-SAME: {{.*}}.c:{{[0-9]+}} in fill
// GLOBAL-NEXT: slot {{0x[0-9a-f]+}} held it, stored at {{.*}}.c:{{[0-9]+}} in keep
// OBJECT: acre: fatal: use of a pointer to the local variable 'numbers', which has ended at
// OBJECT-SAME: {{.*}}.c:{{[0-9]+}} in fill
// OBJECT-NEXT: slot {{0x[0-9a-f]+}} held it, stored at {{.*}}.c:{{[0-9]+}} in keep
// CALLER: acre: fatal: use of a pointer to the local variable 'here', which has ended at
// CALLER-SAME: {{.*}}.c:{{[0-9]+}} in give
// CALLER-NEXT: slot {{0x[0-9a-f]+}} held it, stored at {{.*}}.c:{{[0-9]+}} in keep
// ABORT: acre: fatal: [[FILE]]:{{[0-9]+}}: in fill: the local variable '{{numbers?}}' ends while a
// ABORT-SAME: pointer to it is kept
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: {{.*}}
// ABORT-NEXT: value {{0x[0-9a-f]+}} was stored at [[FILE]]:{{[0-9]+}} in keep
// WRONG: acre: fatal: ACRE_LOCALS is 'never'; it may be trap or abort
#include <setjmp.h>
#include <stdlib.h>

struct object {
  int *numbers;
};
static int *global;
static jmp_buf out;

// The line of the store.
__attribute__((noinline)) static void keep(int **to, int *value) { *to = value; }
__attribute__((noinline)) static void fill(struct object *o) {
  int number = 7, numbers[4] = {1, 2, 3, 4};
  keep(&global, &number);
  keep(&o->numbers, numbers + 2);
}
__attribute__((noinline)) static void give(int **to) {
  int here = 3;
  keep(to, &here);
}
__attribute__((noinline)) static void leave(void) {
  int gone = 3;
  keep(&global, &gone);
  longjmp(out, 1);
}

int main(void) {
  struct object *o = malloc(sizeof *o);
  int *callers = NULL;
  if (!o)
    return 1;
  fill(o);
  give(&callers);
  if (setjmp(out) == 0)
    leave();
  fill(o);
  if (global == NULL || o->numbers == NULL || callers == global)
    return 1;
#if USE == 1
  *global = 1;
#elif USE == 2
  return o->numbers[-2];
#elif USE == 3
  return *callers;
#endif
  free(o);
}
