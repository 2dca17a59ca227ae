// What a precompiled header declares is checked when it is made, and marked where its code is
// emitted.
// RUN: %frontend -x c-header  %s -o %t.pch
// RUN: %frontend -include-pch %t.pch -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | \
// RUN:   FileCheck %s
#ifndef HEADER
#define HEADER
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
void drop(void) deletes;
static inline void link_in(struct node *n) { n->next = n; }
#else
// CHECK-LABEL: define {{.*}} @use(
// CHECK: call ptr @__acre_slot_sameregion(
// CHECK: call ptr @__acre_deletes(
void use(struct node *n) deletes {
  link_in(n);
  n->next = 0;
  drop();
}
// CHECK-LABEL: define internal void @link_in(
// CHECK-COUNT-1: call ptr @__acre_slot_sameregion(
// CHECK-NOT: @__acre
// CHECK: ret
#endif
