// RUN: %each_level --expect-abort "acre: fatal" -o %t %s
// Deleting a region twice aborts with a message.
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion(), copy = r;
  deleteregion(r);
  deleteregion(copy);
}
