// A trap told the offset in an object of more than 32 KiB by its low bits alone; and an array of
// regions could not be written in the call of deleteregion_array.
// RUN: %acre-cc -O2 %s -o %t && not --crash %t 2>&1 | sed /Segm/d | %whole %s
// CHECK: acre: fatal: use of a pointer into a region that was deleted at [[FILE]]:[[@LINE+16]]
// CHECK-NEXT: global variable 'kept' ([[FILE]]) pointed to offset 299999 of 300000 bytes of
// CHECK-SAME: pointer-free data in the region created at [[FILE]]:[[@LINE+9]]
// CHECK-NEXT: used {{(in main, )?}}at offset 299999 of what it pointed to
#include <acre/acre.h>
#include <string.h>

static char *volatile kept;

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_TRAP);
  region r = newregion(), other = newregion();
  char *text = rstralloc(r, 300000);
  memset(text, 1, 300000);
  kept = text + 299999;
  text = NULL;
  deleteregion_array(2, (region[]){r, other});
  return *kept;
}
