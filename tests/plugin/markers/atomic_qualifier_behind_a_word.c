// _Atomic may stand behind a word as a qualifier. Clang 19 crashes on that after any attribute.
// REQUIRES: llvm-20
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/region.h>

struct atomic {
  char *sameregion _Atomic slot;
};
// CHECK: |struct atomic{{[^;]*}};8;8;1;0;0,1,8,s,slot\00
void use(region r) { ralloc(r, struct atomic); }
