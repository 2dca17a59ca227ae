// RUN: %each_level --expect-abort "sameregion" -o %t %s
// A sameregion slot in a flexible array member is checked by assignment.
#include "../Inputs/check.h"

struct internal {
  int length;
  node *sameregion items[];
};

int main(void) {
  region r = newregion(), s = newregion();
  struct internal *in = acre_region_alloc(s, sizeof *in + 10 * sizeof in->items[0], _Alignof(struct internal),
                                          ACRE_TYPE(struct internal));
  in->items[9] = new_node(s);
  in->items[9] = new_node(r);
}
