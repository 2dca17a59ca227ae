// RUN: %each_level --expect-abort "sameregion" -o %t %s
// Elements of an array of sameregion pointers are checked.
#include "../Inputs/check.h"

struct table {
  int used;
  node *sameregion entries[8];
};

int main(void) {
  struct table *t = ralloc(newregion(), struct table);
  region other = newregion();
  t->entries[3] = 0;
  node *sameregion *entry = &t->entries[(long)opaque((void *)5)];
  *entry = new_node(other);
}
