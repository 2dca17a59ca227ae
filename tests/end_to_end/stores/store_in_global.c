// A pointer stored in a global counts until it is overwritten; the delete is refused for as long.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

node *external_global;
static node *static_global;

int main(void) deletes {
  region r = newregion();
  external_global = new_node(r);
  CHECK_COUNT(r, 1);
  static_global = external_global;
  CHECK_COUNT(r, 2);
  DELETE_REFUSED(r);
  CHECK(external_global->value == 42 && static_global->value == 42);
  external_global = opaque(external_global);
  CHECK_COUNT(r, 2);
  external_global = 0;
  CHECK_COUNT(r, 1);
  static_global = (node *)&external_global;
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
