// A long double left the last six bytes of the pointer that it was stored over, in its padding:
// still a reference.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

static union {
  struct {
    char *first, *second;
  } text;
  long double value;
} global;

int main(void) {
  region r = newregion();
  global.text.second = rarrayalloc(r, 1 << 20, char) + (1 << 19);
  CHECK_COUNT(r, 1);
  global.value = 0.1L;
  CHECK_COUNT(r, 0);
  deleteregion(r);
  return global.value != 0.1L;
}
