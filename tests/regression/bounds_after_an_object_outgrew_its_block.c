// An object's start stayed in the index of starts when it had grown to a block of its own and gone:
// objects that came to lie there seemed to end.
// RUN: %each_level -o %t %s -- -facre-bounds
#include "../end_to_end/Inputs/check.h"

enum { SIZE = 60000, GROWN = 65000, ALIGN = 4096, SMALL = 300 };

NOINLINE static char at(const char *p, long i) { return p[i]; }

int main(void) {
  region r = newregion();
  char *large = acre_region_alloc(r, SIZE, ALIGN, NULL);
  CHECK(at(large, SIZE - 1) == 0);
  uintptr_t hidden = ~(uintptr_t)large; /* an address would refuse the delete */
  large = rarrayextend(r, large, GROWN, char);
  CHECK(at(large, GROWN - 1) == 0);
  bool is_in_place = (uintptr_t)large == ~hidden;
  large = NULL;
  deleteregion(r);
  CHECK(is_in_place);
  /* Some object has the address in its middle. */
  r = newregion();
  bool is_found = false;
  for (int i = 0; i < 20000; i++) {
    char *small = rstralloc(r, SMALL);
    rstralloc(r, 1); /* now it is not the newest */
    CHECK(at(small, SMALL - 1) == 0);
    long offset = (long)(~hidden - (uintptr_t)small);
    if (offset > 0 && offset < SMALL) {
      is_found = true;
      char *middle = small + offset;
      CHECK(at(middle + 8, 1 - offset) == 0);
    }
  }
  CHECK(is_found);
  deleteregion(r);
}
