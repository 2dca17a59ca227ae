// Globals that hold pointers are listed under their source names; a unit without any emits nothing.
// RUN: %clang -S -emit-llvm -O1 -fpass-plugin=%plugin %s -o - | FileCheck %s
// RUN: %clang -S -emit-llvm -O1 -fpass-plugin=%plugin %s -g -o - | FileCheck %s \
// RUN:   --check-prefix=LINES
// RUN: %clang -S -emit-llvm -O1 -fpass-plugin=%plugin %s -fPIC -o - | FileCheck %s \
// RUN:   --check-prefix=SHARED
// RUN: %clang -S -emit-llvm -O1 -fpass-plugin=%plugin %s -DNONE -o - | FileCheck %s \
// RUN:   --check-prefix=NONE
// CHECK-NOT: unregister
// CHECK-DAG: c"plain\00"
// CHECK-DAG: c"count.cache\00"
// CHECK-DAG: @acre.module = internal global {{.*}} i64 2, ptr @acre.globals
// CHECK-DAG: @llvm.global_ctors = {{.*}}i32 101, ptr @acre.module.register
// CHECK-NOT: unregister
// LINES: @acre.globals = {{.*}}@plain, i64 8, {{.*}}i32 [[@LINE+6]], i16 0, i16 0, ptr
// SHARED: @llvm.global_dtors = {{.*}}@acre.module.unregister
// NONE-NOT: acre.module
int numbers[4];
const char *const fixed = "fixed";
#ifndef NONE
char *plain;
_Thread_local char *per_thread;
int count(void) {
  static struct { int used; char *text; } cache;
  per_thread = plain;
  cache.text = plain;
  return cache.used++;
}
#endif
