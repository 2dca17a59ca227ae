// RUN: %each_level --expect-abort "is not open" -o %t %s
// The handle of an arena that was closed is no way into it.
#include "../Inputs/check.h"
#include <acre/scope.h>

static acre_region handle;

int main(void) {
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    handle = r;
    (void)new_node(r);
  }
  node *n = new_node(handle);
  acre_key_drop(key);
  return (int)n->value;
}
