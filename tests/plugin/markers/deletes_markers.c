// Calls that may delete are marked, however the function is named; the call stays as it is.
// RUN: %frontend -w -std=gnu17 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>
typedef void (*callback)(int) deletes;
typedef int function(long) deletes;
struct operations { void (*close)(void *) deletes; callback table[2]; void (*open)(void *); };
void direct(void) deletes;
double variadic(const char *, ...) deletes;
function typedefed;
void old_style() deletes;
struct large { long words[8]; } large(struct large) deletes;
void prototype(int x) deletes;

// CHECK-LABEL: define {{.*}} @calls(
// CHECK: call ptr @__acre_deletes(ptr noundef @direct, ptr noundef @{{.*}})
// CHECK-NEXT: call void %
// CHECK: call ptr @__acre_deletes(ptr noundef @variadic,
// CHECK-NEXT: call double (ptr, ...) %{{.*}}(ptr noundef @{{.*}}, i32 noundef 1, double noundef 2.0
// CHECK: call ptr @__acre_deletes(ptr noundef @typedefed,
// CHECK: call i32 %{{.*}}(i64 noundef 5)
// CHECK: call ptr @__acre_deletes(ptr noundef @old_style,
// CHECK: call void (i32, ...) %{{.*}}(i32 noundef 7)
// CHECK: call ptr @__acre_deletes(ptr noundef @large,
// CHECK: call void %{{.*}}(ptr {{.*}}sret(%struct.large)
// CHECK: ret
void calls(struct large *l) deletes {
  direct();
  variadic("%d", 1, 2.0f);
  typedefed(5);
  old_style(7);
  *l = large(*l);
}

// CHECK-LABEL: define {{.*}} @pointers(
// CHECK-COUNT-7: call ptr @__acre_deletes(
// CHECK-NOT: @__acre
// CHECK: ret
void pointers(struct operations *o, callback c, function *f, __typeof__(direct) *t) deletes {
  o->close(o);
  o->table[1](2);
  c(3);
  (*f)(4);
  t();
  (o ? c : o->table[0])(5);
  o->open(o);
  (o ? o->open : o->close)(o);
}

// A definition in the style of K&R takes deletes from its prototype.
// CHECK-LABEL: define {{.*}} @prototype(
// CHECK: call ptr @__acre_deletes(ptr noundef @direct
void prototype(x)
int x;
{
  direct();
}

// main is exempt from saying it, not from the marker.
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call ptr @__acre_deletes(ptr noundef @direct
int main(void) { direct(); }
