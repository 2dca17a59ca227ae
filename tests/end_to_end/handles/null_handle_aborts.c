// Allocating in a null region aborts with a message.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: ralloc: the region handle is null
// ABORT-NEXT: ralloc called at [[FILE]]:[[@LINE+5]] in main
#include "../Inputs/check.h"

int main(void) {
  region r = opaque(0);
  ralloc(r, node);
}
