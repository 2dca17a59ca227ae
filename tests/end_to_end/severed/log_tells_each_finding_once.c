// ACRE_LOG writes each distinct finding once, whatever became of the delete, and at exit how often
// it was met; ACRE_DELETE chooses sever and trap for a program that says nothing.
// RUN: %acre-cc -O1 -facre-sites %s -o %t
// RUN: rm -f %t.log && env ACRE_DELETE=sever ACRE_LOG=%t.log %t null
// RUN: sort %t.log | FileCheck %s --check-prefixes=CHECK,SEVERED --implicit-check-not='acre['
// RUN: rm -f %t.log && env ACRE_DELETE=trap ACRE_LOG=%t.log %t null
// RUN: sort %t.log | FileCheck %s --check-prefixes=CHECK,SEVERED --implicit-check-not='acre['
// RUN: rm -f %t.log && env ACRE_DELETE=refuse ACRE_LOG=%t.log %t
// RUN: sort %t.log | FileCheck %s --check-prefixes=CHECK,REFUSED --implicit-check-not='acre['
// RUN: env ACRE_LOG=syslog ACRE_DELETE=sever %t null
// RUN: not --crash env ACRE_LOG=/nowhere/at/all %t 2>&1 | %whole %s --check-prefix=WRONG
// CHECK: acre[{{[0-9]+}}]: 10 times: global variable 'global'
// CHECK: acre[{{[0-9]+}}]: 10 times: the word at offset 0
// CHECK: acre[{{[0-9]+}}]: global variable 'global' ({{.*}}.c{{.*}}), stored at
// CHECK-SAME: {{.*}}.c:[[@LINE+14]] in request, pointed to node allocated at
// CHECK-SAME: {{.*}}check.h:{{[0-9]+}} in the region created at {{.*}}.c:[[@LINE+10]],
// SEVERED-SAME: severed at {{.*}}.c:[[@LINE+14]]
// REFUSED-SAME: which is refused at {{.*}}.c:[[@LINE+13]]
// CHECK: acre[{{[0-9]+}}]: the word at offset 0 of a block of {{[0-9]+}} bytes from malloc
// WRONG: acre: fatal: ACRE_LOG: the file '/nowhere/at/all' cannot be written
#include "../Inputs/check.h"

node *global;

static NOINLINE int request(void) deletes {
  region r = newregion();
  node **block = malloc(sizeof *block);
  *block = NULL;
  global = new_node(r);
  *block = global;
  int is_gone = deleteregion(r);
  if (is_gone && *block)
    CHECK(regionof(*block) == traditional_region);
  global = NULL;
  free(block);
  if (!is_gone)
    CHECK(deleteregion(r));
  return is_gone;
}

int main(int count, char **arguments) deletes {
  (void)arguments;
  for (int i = 0; i < 10; i++)
    CHECK(request() == (count > 1));
  return 0;
}
// QEMU does not say in its list of mappings which one is the heap.
// UNSUPPORTED: foreign
