// A record on the stack that other code can reach obeys the rules of its slots, however it is
// filled: a reader trusts them.
// RUN: %each_level -o %t %s -- -DCASE=0
// RUN: %each_level --expect-abort CASE1 -o %t.1 %s -- -DCASE=1
// RUN: %each_level --expect-abort CASE2 -o %t.2 %s -- -DCASE=2
// RUN: %each_level --expect-abort CASE3 -o %t.3 %s -- -DCASE=3
// RUN: %each_level --expect-abort CASE4 -o %t.4 %s -- -DCASE=4
// RUN: %each_level --expect-abort CASE5 -o %t.5 %s -- -DCASE=5
// CASE1: acre: fatal: [[FILE]]:[[@LINE+49]]: in main: sameregion pointer may not point into the
// CASE1-SAME: region created at [[FILE]]:[[@LINE+39]]
// CASE1-NEXT: value {{0x[0-9a-f]+}}: holder allocated at [[FILE]]:[[@LINE+39]]
// CASE1-NEXT: slot {{0x[0-9a-f]+}}: a local variable on the stack of function main
// CASE1-NEXT: held by the traditional region
// CASE2: acre: fatal: [[FILE]]:[[@LINE+47]]: in main: sameregion pointer may not point into the
// CASE2-SAME: region created at [[FILE]]:[[@LINE+34]]
// CASE2-NEXT: value {{0x[0-9a-f]+}}: holder allocated at [[FILE]]:[[@LINE+34]]
// CASE2-NEXT: slot {{0x[0-9a-f]+}}: a local variable on the stack of function main
// CASE2-NEXT: held by the traditional region
// CASE3: acre: fatal: [[FILE]]:[[@LINE+26]]: in by_value: sameregion pointer may not point into the
// CASE3-SAME: region created at [[FILE]]:[[@LINE+29]]
// CASE3-NEXT: value {{0x[0-9a-f]+}}: holder allocated at [[FILE]]:[[@LINE+29]]
// CASE3-NEXT: slot {{0x[0-9a-f]+}}: a local variable on the stack of function by_value
// CASE3-NEXT: held by the traditional region
// CASE4: acre: fatal: [[FILE]]:[[@LINE+41]]: in main: sameregion pointer may not point into the
// CASE4-SAME: region created at [[FILE]]:[[@LINE+24]]
// CASE4-NEXT: value {{0x[0-9a-f]+}}: holder allocated at [[FILE]]:[[@LINE+24]]
// CASE4-NEXT: slot {{0x[0-9a-f]+}}: a local variable on the stack of function main
// CASE4-NEXT: held by the traditional region
// CASE5: acre: fatal: [[FILE]]:[[@LINE+39]]: in main: sameregion pointer may not point into the
// CASE5-SAME: region created at [[FILE]]:[[@LINE+19]]
// CASE5-NEXT: value {{0x[0-9a-f]+}}: holder allocated at [[FILE]]:[[@LINE+19]]
// CASE5-NEXT: slot {{0x[0-9a-f]+}}: a local variable on the stack of function main
// CASE5-NEXT: held by the traditional region
#include "../Inputs/check.h"

typedef struct holder {
  struct holder *sameregion next;
  node *plain;
} holder;
struct outer {
  long tag[4];
  holder inner;
};
static NOINLINE void look(holder *h) { CHECK(!h->next || h->next->plain); }
static NOINLINE void by_value(holder h) { look(&h); }
static NOINLINE holder made(holder *next) { return (holder){next, 0}; }

int main(void) {
  region r = newregion();
  holder *h = opaque(ralloc(r, holder)), local = {0, new_node(r)};
  h->plain = new_node(r);
  look(&(holder){0, local.plain});
  look(&local);
  // A private copy may point anywhere.
  holder copy = {h, 0};
  CHECK(copy.next->plain->value == 42);
#if CASE == 1
  holder bad = {h, 0};
  look(&bad);
#elif CASE == 2
  look(&(holder){h, 0});
#elif CASE == 3
  by_value((holder){h, 0});
#elif CASE == 4
  holder bad = made(h);
  look(&bad);
#elif CASE == 5
  struct outer bad = {{1}, {h, 0}};
  look(&bad.inner);
#endif
}
