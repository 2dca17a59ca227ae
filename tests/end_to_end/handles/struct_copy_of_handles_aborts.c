// RUN: %each_level --expect-abort "in main: sameregion handle may not name the region created" -o %t %s
// A struct that is copied to another region takes no handle of its own along.
#include "../Inputs/check.h"

struct array {
  long length;
  region sameregion own;
};

int main(void) {
  region r = newregion(), other = newregion();
  struct array *a = ralloc(r, struct array), *b = ralloc(other, struct array);
  a->own = r;
  *b = *a;
}
