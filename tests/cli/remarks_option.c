// -facre-remarks reports decisions as remarks of the compiler, and what link-time optimization
// leaves from the link.
// RUN: %acre-cc -O2 -g -facre-remarks -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 -g -facre-remarks -flto -c %s -o %t.o && %acre-cc -O2 -g -facre-remarks -flto \
// RUN:   %t.o -o %t 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: %acre-cc -O2 -g -fno-acre -facre-remarks -Werror -c %s -o %t.o
#include <acre/acre.h>

struct node {
  struct node *sameregion next;
  struct node *plain;
};
struct node *top;

int main(void) {
  region r = newregion();
  struct node *a = ralloc(r, struct node), *b = ralloc(r, struct node);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed{{.*}} [-Rpass=acre]
  a->next = b;
  // CHECK-DAG: [[#@LINE+2]]:11: remark: check of sameregion store kept{{.*}} [-Rpass-missed=acre]
  // LINK-DAG: [[#@LINE+1]]:11: check of sameregion store kept
  b->next = top;
  top = a->next;
  top = 0;
  return !deleteregion(r);
}
