// -M, -MD, -MMD and -MF write what Clang writes: the headers of Acre are system headers.
// RUN: %acre-cc -c %S/Inputs/table.c -o %t.o -MD -MF %t.d && FileCheck \
// RUN:   --check-prefixes=CHECK,SYSTEM %s < %t.d
// RUN: %acre-cc -c %S/Inputs/table.c -o %t.o -MMD -MF %t.d -MP -MT target.o && FileCheck %s < %t.d
// RUN: FileCheck --check-prefix=USER %s < %t.d
// RUN: %acre-cc -M %S/Inputs/table.c | FileCheck --check-prefixes=CHECK,SYSTEM %s
// RUN: %acre-cc -MM %S/Inputs/table.c | FileCheck %s
// CHECK: {{.*}}.o:
// CHECK: table.h
// SYSTEM: acre/acre.h
// USER-NOT: acre.h
