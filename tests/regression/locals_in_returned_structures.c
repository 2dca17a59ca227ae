// -facre-locals looked at results that are pointers, and not at structures returned in registers.
// RUN: %acre-cc -O0 -facre-locals %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O2 -facre-locals %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %t outlives
// CHECK: acre: fatal: [[FILE]]:[[@LINE+14]]: in of_local: the result points to a local variable,
// CHECK-SAME: which ends
#include <stdio.h>
#include <string.h>

struct view {
  long length;
  const char *text;
};

static __attribute__((noinline)) struct view of_local(int number) {
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  return (struct view){2, text};
}
static __attribute__((noinline)) struct view of_caller(char *text, int number) {
  char own[16];
  snprintf(own, sizeof own, "%d", number);
  strcpy(text, own);
  return (struct view){2, text};
}

int main(int argc, char **argv) {
  char text[16];
  (void)argv;
  struct view found = argc > 1 ? of_caller(text, 5) : of_local(5);
  return argc > 1 && strcmp(found.text, "5") != 0;
}
