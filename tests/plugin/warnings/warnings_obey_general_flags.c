// -w and -Wno-everything, which Clang applies to its own warnings only, silence Acre's too, but not
// one that is asked for.
// RUN: %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %acre-cc -fsyntax-only -w %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only -Wno-everything %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only -Werror -Wno-everything %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only -Wno-everything -Weverything %s 2>&1 | FileCheck %s
// RUN: %acre-cc -fsyntax-only -Wno-everything -Wacre-qualifier-lost %s 2>&1 | FileCheck %s
#include <acre/annotations.h>
struct node {
  struct node *sameregion next;
};
void *forget(struct node *n);
// CHECK: warning: {{.*}} [-Wacre-qualifier-lost]
void *forget(struct node *n) { return &n->next; }
