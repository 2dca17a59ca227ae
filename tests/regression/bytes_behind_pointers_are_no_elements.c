// An object whose type ends with an array of bytes was taken for an array of its type: the bytes
// for pointers.
// RUN: %acre-cc -O2 %s -o %t && env ACRE_VERIFY=1 %t
#include <acre/acre.h>
#include <string.h>
struct symbol {
  struct symbol *sameregion next;
  char name[];
};
int main(void) deletes {
  region r = newregion();
  struct symbol *symbol =
      acre_region_alloc(r, sizeof *symbol + 64, _Alignof(struct symbol), ACRE_TYPE(struct symbol));
  memset(symbol->name, 'x', 64);
  bool is_right = acre_verify();
  return !is_right || !deleteregion(r);
}
