// A local union of double and pointer was promoted to a double, which was not pinned across a
// delete.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

union number {
  double d;
  node *p;
};
static NOINLINE long copied(union number *from, region r, int as_number) deletes {
  union number local = *from;
  from->p = 0;
  DELETE_REFUSED(r);
  return as_number ? (long)local.d : local.p->value;
}

int main(void) deletes {
  region r = newregion();
  union number *u = malloc(sizeof *u);
  u->p = new_node(r);
  CHECK(copied(u, r, 0) == 42);
}
