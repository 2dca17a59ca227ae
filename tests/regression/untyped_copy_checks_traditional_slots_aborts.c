// A copy by code that does not know the type put a pointer into the same region in a traditional
// slot, unseen.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: in a copy of bytes (-facre-sites tells where): traditional pointer may not
// ABORT-SAME: point into the region created at [[FILE]]:[[@LINE+15]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: node allocated at check.h:{{[0-9]+}}
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'outside' of struct holder allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+13]] in the region created at [[FILE]]:[[@LINE+12]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+11]]
#include "../end_to_end/Inputs/check.h"

struct holder {
  long kind;
  node *traditional outside;
};

NOINLINE static void copy(void *to, const void *from, size_t size) { memcpy(to, from, size); }

int main(void) {
  region r = newregion();
  struct holder *h = ralloc(r, struct holder);
  struct {
    long kind;
    node *inside;
  } from = {1, (node *)malloc(sizeof(node))};
  copy(h, opaque(&from), (size_t)opaque((void *)sizeof from));
  from.inside = new_node(r);
  copy(h, opaque(&from), (size_t)opaque((void *)sizeof from));
}
