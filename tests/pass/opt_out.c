// A function that says it is trusted keeps its stores as they are.
// RUN: %clang -S -emit-llvm -O1 -flto -fplugin=%plugin -fpass-plugin=%plugin %s -o - \
// RUN:   | FileCheck %s
// CHECK-LABEL: @trusted(
// CHECK-NOT: acre_rt_
// CHECK-LABEL: @ordinary(
// CHECK: call void @acre_rt_store(
__attribute__((annotate("acre.uninstrumented"))) void trusted(char **slot, char *value) {
  *slot = value;
}
void ordinary(char **slot, char *value) { *slot = value; }
