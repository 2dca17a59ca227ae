// The store and the call keep their own lines and columns.
// RUN: %frontend -g -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
void drop(int) deletes;
void f(struct node *n) deletes {
  n->next =
      n;
  drop(
      1);
}
// CHECK: %[[SLOT:.*]] = call ptr @__acre_slot_sameregion(
// CHECK: store ptr %{{.*}}, ptr %[[SLOT]], {{.*}}!dbg ![[STORE:[0-9]+]]
// CHECK: call void %{{.*}}(i32 noundef 1), !dbg ![[CALL:[0-9]+]]
// CHECK: ![[STORE]] = !DILocation(line: 7, column: 11
// CHECK: ![[CALL]] = !DILocation(line: 9, column: 3
