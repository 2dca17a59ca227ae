// A copy by way of a pointer to memcpy was not counted, because only direct calls had a barrier.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

int main(void) {
  region r = newregion();
  node **slots = calloc(2, sizeof *slots);
  slots[0] = new_node(r);
  copy(&slots[1], &slots[0], sizeof *slots);
  CHECK_COUNT(r, 2);
}
