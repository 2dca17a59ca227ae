// A fix-it for a file that #line says was made of another was offered as an edit of the other.
// RUN: not %acre-cc -fsyntax-only -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s
#include <acre/region.h>
void here(region r) { deleteregion(r); }
// CHECK: fix-it:"{{.*}}fix_its_only_in_the_file_itself.c":{4:20-4:20}:" deletes"
#line 70 "grammar.y"
// CHECK: grammar.y:71
void there(region r) { deleteregion(r); }
// CHECK-NOT: fix-it:
