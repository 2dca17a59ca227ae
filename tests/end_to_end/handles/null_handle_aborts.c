// RUN: %each_level --expect-abort "acre: fatal" -o %t %s
// Allocating in a null region aborts with a message.
#include "../Inputs/check.h"

int main(void) {
  region r = opaque(0);
  ralloc(r, node);
}
