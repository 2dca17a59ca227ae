// RUN: %each_level --expect-abort "parentptr" -o %t %s
// A parentptr slot rejects a pointer into a subregion.
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};

int main(void) {
  region parent = newregion(), child = newsubregion(parent);
  struct item *p = ralloc(parent, struct item), *c = ralloc(child, struct item);
  c->up = p;
  p->up = c;
}
