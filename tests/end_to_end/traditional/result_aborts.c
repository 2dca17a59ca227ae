// RUN: %each_level --expect-abort "traditional" -o %t %s
// What a function returns as traditional is checked where it returns, and its callers rely on that.
#include "../Inputs/check.h"

struct entry {
  node *traditional outside;
};

NOINLINE static node *traditional pick(node *n) { return n; }

int main(void) {
  struct entry *entry = ralloc(newregion(), struct entry);
  entry->outside = pick(malloc(sizeof(node)));
  CHECK(entry->outside);
  entry->outside = pick(opaque(new_node(newregion())));
  return entry->outside != 0;
}
