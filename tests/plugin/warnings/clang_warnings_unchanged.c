// Clang's own analyses see the program as it was written: the same warnings in the same places.
// RUN: %clang -std=c17 -Weverything -O2 -S -o /dev/null %s 2> %t.plain
// RUN: %clang -std=c17 -Weverything -O2 -S -emit-llvm -o /dev/null -fplugin=%plugin %s 2> %t.plugin
// RUN: diff %t.plain %t.plugin
// RUN: FileCheck %s < %t.plugin
union value { char *p; long l; };
int f(union value *u, int k) {
  // CHECK-DAG: warning: unused variable 'unused'
  int unused;
  // CHECK-DAG: warning: variable 'maybe' is used uninitialized
  int maybe;
  if (k)
    maybe = 1;
  u->l = maybe;
  // CHECK-DAG: warning: equality comparison result unused
  u->l == 2;
  // CHECK-DAG: warning: using the result of an assignment as a condition
  if (u->l = k)
    return 1;
  return 2;
}
