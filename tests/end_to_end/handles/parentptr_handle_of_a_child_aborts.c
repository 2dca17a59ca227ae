// RUN: %each_level --expect-abort "in main: parentptr handle may not name the region created" -o %t %s
// A handle that breaks the rule of its slot is not stored.
#include "../Inputs/check.h"

struct array {
  region sameregion own;
  region parentptr above;
  region traditional none;
};

int main(void) deletes {
  region r = newregion(), child = newsubregion(r), grandchild = newsubregion(child), other = newregion();
  region gone = newregion(), copy_of_gone = gone;
  deleteregion(copy_of_gone);
  struct array *a = ralloc(child, struct array);
  CHECK(grandchild && other && gone);
  a->above = grandchild;
}
