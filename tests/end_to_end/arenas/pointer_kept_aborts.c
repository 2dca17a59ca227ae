// RUN: %each_level --expect-abort "cannot close" -o %t %s
// A pointer into an arena is still in a global when the arena is closed.
#include "../Inputs/check.h"
#include <acre/scope.h>

static node *kept;
static NOINLINE void keep(node *n) { kept = n; }

int main(void) {
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    keep(new_node(r));
  }
  long value = kept->value;
  acre_key_drop(key);
  return (int)value;
}
