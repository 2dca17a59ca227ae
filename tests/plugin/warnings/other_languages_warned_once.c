// The annotations of C++ and Objective-C files are not read: one warning for the file, when code is generated.
// RUN: %clang -x c++ -S -emit-llvm -o /dev/null -fplugin=%plugin -D__ACRE__=1 -isystem %source/include %s 2>&1 | FileCheck %s
// RUN: %clang -x objective-c -S -emit-llvm -o /dev/null -fplugin=%plugin -D__ACRE__=1 -isystem %source/include %s 2>&1 | FileCheck %s
// RUN: %clang -x c++ -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include %s 2>&1 | count 0
// RUN: %clang -x c++ -S -emit-llvm -o /dev/null -fplugin=%plugin -fplugin-arg-acre-Wno-uninstrumented -D__ACRE__=1 -isystem %source/include %s 2>&1 | count 0
// CHECK: :1:1: warning: Acre compiles C only: {{.*}} [-Wacre-uninstrumented]
// CHECK-NOT: [-W
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
void f(struct node *n) { n->next = n; }
