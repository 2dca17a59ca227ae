// RUN: %each_level -o %t %s -- -DCASE=0
// RUN: %each_level --expect-abort "sameregion pointer may not point into the region created at" -o %t.1 %s -- -DCASE=1
// RUN: %each_level --expect-abort "sameregion pointer may not point into the region created at" -o %t.2 %s -- -DCASE=2
// RUN: %each_level --expect-abort "sameregion pointer may not point into the region created at" -o %t.3 %s -- -DCASE=3
// RUN: %each_level --expect-abort "sameregion pointer may not point into the region created at" -o %t.4 %s -- -DCASE=4
// RUN: %each_level --expect-abort "sameregion pointer may not point into the region created at" -o %t.5 %s -- -DCASE=5
// A record on the stack that other code can reach obeys the rules of its slots, however it is filled: a reader trusts them.
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
