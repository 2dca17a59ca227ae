// RUN: %each_level --expect-abort "the local variable 'session' ends while a pointer to it is kept" -o %t %s -- -facre-locals
// RUN: not --crash %t.O2 2>&1 | FileCheck %s
// RUN: %each_level -o %t.without %s
// The message names the variable, where it ends, who holds the pointer and where that was stored.
#include "../Inputs/check.h"

struct session {
  char name[40];
};
static struct session *current;

// CHECK: acre: fatal: {{.*}}local_kept_aborts.c:[[#@LINE+7]]: in serve: the local variable 'session' ends while a pointer to it is kept
// CHECK-NEXT: slot {{.*}}: global variable 'current'
// CHECK-NEXT: value {{.*}} was stored at {{.*}}local_kept_aborts.c:[[#@LINE+1]] in begin
static NOINLINE void begin(struct session *s) { current = s; }
static NOINLINE void serve(void) {
  struct session session = {"x"};
  begin(&session);
}

int main(void) {
  serve();
  return 0;
}
