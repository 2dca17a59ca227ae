// Writing the upper half of a union left the record of its pointer, because only slots that begin
// in the bytes written were released.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

static union {
  node *pointer;
  struct {
    int low, high;
  } half;
} global;

int main(void) {
  region r = newregion();
  global.pointer = new_node(r);
  global.half.high = 7;
  CHECK_COUNT(r, 0);
}
