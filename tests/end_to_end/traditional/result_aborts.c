// What a function returns as traditional is checked where it returns, and its callers rely on that.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+9]]: in pick: traditional pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+14]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
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
