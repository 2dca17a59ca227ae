// Reads and writes of annotated slots carry their rule; what is no slot does not.
// RUN: %frontend -w -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>

typedef struct node *link;
struct node {
  struct node *sameregion next;
  link parentptr up;
  char *traditional name;
  struct node *sameregion kids[4];
  struct node *sameregion volatile seen;
  _Atomic(struct node *) sameregion shared;
  struct node *plain;
};
extern struct node *sameregion global;

// CHECK-LABEL: define {{.*}} @reads(
// CHECK: %[[S:.*]] = call ptr @__acre_slot_sameregion(ptr noundef %{{.*}}, ptr noundef null)
// CHECK-NEXT: load ptr, ptr %[[S]]
// CHECK: call ptr @__acre_slot_parentptr(ptr noundef %{{.*}}, ptr noundef null)
// CHECK: call ptr @__acre_slot_traditional(ptr noundef %{{.*}}, ptr noundef null)
// CHECK: call ptr @__acre_slot_sameregion(ptr noundef @global, ptr noundef null)
// CHECK-NOT: @__acre
// CHECK: ret
void *reads(struct node *n, int c) {
  return c == 0   ? (void *)n->next
         : c == 1 ? (void *)n->up
         : c == 2 ? n->name
         : c == 3 ? (void *)global
                  : n->plain;
}

// CHECK-LABEL: define {{.*}} @writes(
// CHECK: %[[W:.*]] = call ptr @__acre_slot_sameregion(ptr noundef %{{.*}}, ptr noundef @{{.*}})
// CHECK-NEXT: store ptr %{{.*}}, ptr %[[W]]
// CHECK: %[[A:.*]] = call ptr @__acre_slot_parentptr(ptr noundef %{{.*}}, ptr noundef @{{.*}})
// CHECK-NEXT: store ptr null, ptr %[[A]]
// CHECK: call ptr @__acre_slot_sameregion({{.*}}, ptr noundef @{{.*}})
// CHECK: call ptr @__acre_slot_traditional({{.*}}, ptr noundef @{{.*}})
// CHECK: call ptr @__acre_slot_sameregion({{.*}}, ptr noundef @{{.*}})
// CHECK: store volatile
// CHECK: call ptr @__acre_slot_sameregion({{.*}}, ptr noundef @{{.*}})
// CHECK: store atomic
// CHECK: ret
void writes(struct node *n, struct node **slot, int i) {
  n->next = n;
  (n->up) = 0;
  n->kids[i] = n;
  n->name++;
  n->seen = n;
  n->shared = n;
  *slot = n;
  n->plain = n;
}

// CHECK-LABEL: define {{.*}} @through_pointers(
// CHECK: call ptr @__acre_slot_sameregion
// CHECK: call ptr @__acre_slot_sameregion
// CHECK: ret
void through_pointers(struct node *sameregion *slot, struct node *sameregion (*row)[4]) {
  *slot = 0;
  (*row)[2] = 0;
}

// The address of a slot is not a use of it, and a local variable is no slot.
// CHECK-LABEL: define {{.*}} @addresses(
// CHECK-NOT: @__acre
// CHECK: ret
struct node *sameregion *addresses(struct node *n) {
  __typeof__(n->next) copy = 0;
  copy = n;
  return copy ? &n->next : &n->kids[1];
}

// CHECK-LABEL: define {{.*}} @builtins(
// CHECK: %[[X:.*]] = call ptr @__acre_slot_sameregion
// CHECK: atomicrmw xchg ptr %[[X]]
// CHECK: %[[Y:.*]] = call ptr @__acre_slot_sameregion
// CHECK: cmpxchg ptr %[[Y]]
// CHECK: ret
void builtins(struct node *n) {
  (void)__c11_atomic_exchange(&n->shared, n, 5);
  (void)__sync_bool_compare_and_swap(&n->next, n, 0);
}

// A static variable is a slot of the traditional region.
// CHECK-LABEL: define {{.*}} @statics(
// CHECK: call ptr @__acre_slot_traditional(ptr noundef @statics.last
void statics(char *s) {
  static char *traditional last = "none";
  last = s;
}

