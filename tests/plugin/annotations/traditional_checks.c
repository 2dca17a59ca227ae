// What becomes the value of a traditional variable, parameter or result is checked.
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>
char *any(void);
void take(int, char *traditional);
struct table { void (*take)(char *traditional); };

// CHECK-LABEL: define {{.*}} @variables(
// CHECK-COUNT-3: call ptr @__acre_check_traditional(ptr noundef %{{.*}}, ptr noundef @{{.*}})
// CHECK-NOT: @__acre
// CHECK: ret
void variables(char *traditional p) {
  char *traditional q = any();
  p = any();
  (q) = p;
  q++;
  q += 2;
}

// CHECK-LABEL: define {{.*}} @arguments(
// CHECK-COUNT-2: call ptr @__acre_check_traditional(
// CHECK-NOT: @__acre
// CHECK: ret
void arguments(struct table *t) {
  take(1, any());
  t->take(any());
}

// CHECK-LABEL: define {{.*}} @result(
// CHECK: call ptr @__acre_check_traditional(
// CHECK: ret
char *traditional result(void) { return any(); }

// CHECK-LABEL: define {{.*}} @plain(
// CHECK-NOT: @__acre
// CHECK: ret
char *plain(void) {
  char *p = any();
  p = any();
  return p;
}
