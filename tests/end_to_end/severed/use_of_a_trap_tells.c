// A use of what was severed under trap tells which slot it was, what it pointed to, where that was
// made and deleted, and who used it; then the program's own handler has the signal.
// RUN: %acre-cc -O1 -facre-sites %s -o %t
// RUN: not --crash %t load 2>&1 | sed /Segm/d | %whole %s --check-prefixes=CHECK,LOAD
// RUN: not --crash %t store 2>&1 | sed /Segm/d | %whole %s --check-prefixes=CHECK,STORE
// RUN: %t handled 2>&1 | %whole %s --check-prefixes=CHECK,LOAD,HANDLED
// RUN: %t late 2>&1 | %whole %s --check-prefixes=CHECK,LOAD,HANDLED
// RUN: %t jump 2>&1 | %whole %s --check-prefixes=CHECK,LOAD
// RUN: %t compare 2>&1 | count 0
// RUN: not --crash %t other 2>&1 | sed /Segm/d | count 0
// CHECK: acre: fatal: use of a pointer into a region that was deleted at [[FILE]]:[[@LINE+37]]
// CHECK-NEXT: global variable 'global' ([[FILE]]{{(:[0-9]+)?}}), stored at [[FILE]]:[[@LINE+31]]
// CHECK-SAME: in request, pointed to node allocated at check.h:{{[0-9]+}} in region 'request'
// CHECK-SAME: (created at [[FILE]]:[[@LINE+25]])
// LOAD-NEXT: used {{(in main, )?}}at offset 16 of what it pointed to
// STORE-NEXT: used {{(in main, )?}}at offset 0 of what it pointed to
// HANDLED-NEXT: the program's handler
#include "../Inputs/check.h"

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

node *global;
static sigjmp_buf jump;

static void handle(int number) {
  static const char text[] = "the program's handler\n";
  (void)!write(2, text, sizeof text - 1);
  _exit(number == SIGSEGV ? 0 : 1);
}

static void handle_by_jump(int number, siginfo_t *information, void *context) {
  (void)number, (void)information, (void)context;
  siglongjmp(jump, 1);
}

static NOINLINE void request(void) deletes {
  region r = newregion();
  acre_region_set_name(r, "request");
  acre_region_set_delete_policy(r, ACRE_DELETE_TRAP);
  node *made = new_node(r);
  global = made;
  made = NULL;
  opaque(made);
  static volatile int zero;
  if (zero == 0)
    deleteregion(r);
}

int main(int count, char **arguments) deletes {
  const char *what = count > 1 ? arguments[1] : "";
  struct sigaction by_jump = {.sa_sigaction = handle_by_jump, .sa_flags = SA_SIGINFO};
  if (strcmp(what, "handled") == 0)
    signal(SIGSEGV, handle);
  if (strcmp(what, "jump") == 0)
    sigaction(SIGSEGV, &by_jump, NULL);
  request();
  if (strcmp(what, "late") == 0) {
    signal(SIGSEGV, handle);
    node *before = global;
    request();
    CHECK(before == global); // the same is to be said of it
  }
  if (strcmp(what, "compare") == 0) {
    node *copy = global;
    CHECK(copy == global && copy != NULL);
    global = NULL;
    return acre_verify() ? 0 : 1;
  }
  if (strcmp(what, "other") == 0)
    return *(volatile int *)16;
  if (strcmp(what, "store") == 0)
    global->next = NULL;
  if (sigsetjmp(jump, 1) != 0)
    return 0;
  return (int)global->value;
}
