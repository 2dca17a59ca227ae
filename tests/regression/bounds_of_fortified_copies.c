// What the headers make of copies under _FORTIFY_SOURCE was not checked by -facre-bounds: it knew
// only the compiler's own copies and fills.
// RUN: %each_level -o %t %s -- -facre-bounds -D_FORTIFY_SOURCE=2 -Wno-#warnings
// RUN: %each_level --expect-abort -o %t %s -- -facre-bounds -D_FORTIFY_SOURCE=2 -Wno-#warnings \
// RUN:   -DSIZE=8
// ABORT: acre: fatal: [[FILE]]:{{0|16}}: in copy: access of 8 bytes
// ABORT-SAME: at offset 0 of an object of 7 bytes
// ABORT-NEXT: object 0x{{[0-9a-f]+}}: 7 bytes of pointer-free data
#include "../end_to_end/Inputs/check.h"

enum { ROOM = 7 };
#ifndef SIZE
#define SIZE ROOM
#endif

NOINLINE static void copy(char *to, const char *from, size_t size) { memcpy(to, from, size); }

int main(void) {
  region r = newregion();
  char *small = rstralloc(r, ROOM), *large = rstralloc(r, SIZE);
  copy(small, large, SIZE);
  small = large = NULL;
  deleteregion(r);
}
