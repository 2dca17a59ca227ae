// The message names the variable, where it ends, who holds the pointer and where that was stored.
// RUN: %each_level --expect-abort -o %t %s -- -facre-locals
// RUN: %each_level -o %t.without %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+15]]: in serve: the local variable 'session' ends while a
// ABORT-SAME: pointer to it is kept
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: global variable 'current' ([[FILE]]{{(:[0-9]+)?}})
// ABORT-NEXT: value {{0x[0-9a-f]+}} was stored at [[FILE]]:[[@LINE+8]] in begin
#include "../Inputs/check.h"

struct session {
  char name[40];
};
static struct session *current;

static NOINLINE void begin(struct session *s) { current = s; }
static NOINLINE void serve(void) {
  struct session session = {"x"};
  begin(&session);
}

int main(void) {
  serve();
  return 0;
}
