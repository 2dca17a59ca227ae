// -Rpass=acre says what was inserted.
// RUN: %clang -c -O2 -Rpass=acre -fpass-plugin=%plugin %s -o %t.o 2>&1 | FileCheck %s
// CHECK: [[@LINE+1]]:{{.*}}remark: inserted 1 barriers and 0 pins [-Rpass=acre]
void set(char **slot, char *value) { *slot = value; }
