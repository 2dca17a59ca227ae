// A record with annotated slots that is overwritten carries its layout, a plain one does not.
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>
#include <string.h>

struct node { struct node *sameregion next; long value; };
struct pair { struct node a, b; };
struct plain { struct node *p; long value; };
struct node make(void);

// CHECK-LABEL: define {{.*}} @assigns(
// CHECK: call ptr @__acre_slot_record(ptr noundef %{{.*}}, ptr noundef @[[NODE:[^,]*]], ptr noundef
// CHECK-SAME: {{^ }}@{{.*}})
// CHECK: call ptr @__acre_slot_record(ptr noundef %{{.*}}, ptr noundef @[[NODE]], ptr noundef
// CHECK-SAME: {{^ }}@{{.*}})
// CHECK: call ptr @__acre_slot_record(ptr noundef %{{.*}}, ptr noundef @[[NODE]], ptr noundef
// CHECK-SAME: {{^ }}@{{.*}})
// CHECK: call ptr @__acre_slot_record(ptr noundef %{{.*}}, ptr noundef @[[PAIR:[^,]*]], ptr noundef
// CHECK-SAME: {{^ }}@{{.*}})
// CHECK: ret
void assigns(struct node *n, struct pair *p) {
  *n = p->a;
  p->b = make();
  p->a = (struct node){.next = n};
  p[0] = p[1];
}

// CHECK-LABEL: define {{.*}} @copies(
// CHECK-COUNT-8: call ptr @__acre_slot_record(
// CHECK-NOT: @__acre
// CHECK: ret
void copies(struct node *n, struct pair *p, size_t k) {
  memcpy(n, p, sizeof *n);
  memmove(&p->b, &p->a, sizeof p->a);
  memset(p, 0, k * sizeof *p);
  __builtin_memcpy((void *)n, n + 1, k * sizeof *n);
  __builtin___memcpy_chk(n, p, sizeof *n, __builtin_object_size(n, 0));
  bcopy(n, &p->a, sizeof *n);
  __builtin_mempcpy((char *)n, p, sizeof *n);
  memset(&n->next, 0, sizeof n->next);
}

// CHECK-LABEL: define {{.*}} @unmarked(
// CHECK-NOT: @__acre
// CHECK: ret
void unmarked(struct plain *p, struct node *n, char *bytes, void *any) {
  p[0] = p[1];
  memcpy(p, p + 1, sizeof *p);
  memcpy(bytes, n, sizeof *n);
  memcpy(any, n, sizeof *n);
}

// CHECK-LABEL: define {{.*}} @locals(
// CHECK: call void @llvm.var.annotation.p0.p0(ptr %{{.*}}, ptr @[[PARAMTEXT:[^,]*]], ptr
// CHECK: call void @llvm.var.annotation.p0.p0(ptr %{{.*}}, ptr @[[PARAMTEXT]], ptr
// CHECK: call void @llvm.var.annotation.p0.p0(ptr %{{.*}}, ptr @[[ARRAYTEXT:[^,]*]], ptr
// CHECK-NOT: llvm.var.annotation
// CHECK: ret
long locals(struct node by_value, int k) {
  struct node one = {0}, many[3] = {0};
  struct plain none = {0};
  static struct node kept;
  char *traditional word = "";
  return one.value + many[0].value + none.value + kept.value + word[0];
}

