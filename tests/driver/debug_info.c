// The lines and variables of a program compiled with -g are the program's own.
// RUN: %acre-cc -g -O0 -I%S/Inputs %S/Inputs/table.c %s -o %t
// RUN: llvm-dwarfdump --name=helper --show-children %t | FileCheck %s
// RUN: gdb -nx -batch -ex 'break helper' -ex run -ex 'info args' %t | FileCheck \
// RUN:   --check-prefix=GDB %s
#include "table.h"
// CHECK: DW_AT_name ("helper")
// CHECK: DW_AT_decl_file ("{{.*}}debug_info.c")
// CHECK: DW_AT_decl_line ([[#@LINE+2]])
// CHECK: DW_AT_name ("amount")
static int helper(region r, int amount) { return table_add(r, amount)->value; }
// GDB: Breakpoint 1, helper
// GDB: amount = 41
int main(void) { return helper(newregion(), 41) != 41; }
