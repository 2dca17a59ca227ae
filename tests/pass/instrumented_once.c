// A module is instrumented once, whatever is done with its IR afterwards, and IR that was not is
// instrumented then. Before LLVM 20 the pass cannot know of IR that a link follows, and lowers it.
// RUN: %clang -S -emit-llvm -O1 -flto -fplugin=%plugin -fpass-plugin=%plugin %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %if llvm-20 %{ %clang -S -emit-llvm -O2 -flto -fpass-plugin=%plugin -x ir %t.ll -o - \
// RUN:   | FileCheck %s %}
// RUN: %opt -passes=acre-insert,acre-insert,verify -S %t.ll | FileCheck %s
// RUN: %clang -S -emit-llvm -O1 -Xclang -disable-llvm-passes %s -o %t.raw.ll
// RUN: %if llvm-20 %{ %clang -S -emit-llvm -O1 -flto -fpass-plugin=%plugin -x ir %t.raw.ll -o - \
// RUN:   | FileCheck %s %}
// CHECK: define {{.*}}@set(
// CHECK: call void @acre_rt_store(
// CHECK-NOT: call void @acre_rt_store(
// CHECK: ret void
// CHECK: !{i32 7, !"acre-instrumented", i32 1}
void set(char **slot, char *value) { *slot = value; }
