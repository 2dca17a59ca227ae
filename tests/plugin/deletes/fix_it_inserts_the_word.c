// The fix-it makes the program one that is accepted.
// RUN: cp %s %t.c
// RUN: %frontend -fsyntax-only -Xclang -fixit %t.c 2>/dev/null || true
// RUN: FileCheck %s < %t.c
// RUN: not %frontend -fsyntax-only -DACRE_NO_SHORT_NAMES -fdiagnostics-parseable-fixits %s 2>&1 | \
// RUN:   FileCheck --check-prefix=LONG %s
#include <acre/region.h>

// CHECK: static int plain(acre_region r, int k) deletes {
// CHECK-NEXT: acre_region_delete
// CHECK-NEXT: acre_region_delete
// LONG: fix-it:{{.*}}:{[[#@LINE+1]]:39-[[#@LINE+1]]:39}:" ACRE_DELETES"
static int plain(acre_region r, int k) {
  acre_region_delete(r, "");
  acre_region_delete(r, "");
  return k;
}
