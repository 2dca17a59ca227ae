// The annotations of C++ and Objective-C files are not read: one warning for the file, when code is
// generated.
// RUN: %frontend -x c++ -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %frontend -x objective-c -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %frontend -x c++ -fsyntax-only %s 2>&1 | count 0
// RUN: %frontend -x c++ -S -emit-llvm -o /dev/null -fplugin-arg-acre-Wno-uninstrumented %s 2>&1 | \
// RUN:   count 0
// CHECK: :1:1: warning: Acre compiles C only: {{.*}} [-Wacre-uninstrumented]
// CHECK-NOT: [-W
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
void f(struct node *n) { n->next = n; }
