// Assigning a packed struct lost its pointers, because a search of aligned words does not find
// them.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct __attribute__((packed)) packed {
  char tag;
  node *pointer;
};
static struct packed from, to;

int main(void) {
  region r = newregion();
  from.pointer = new_node(r);
  to = from;
  CHECK_COUNT(r, 2);
}
