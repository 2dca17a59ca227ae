// RUN: %each_level --expect-abort "sameregion" -o %t %s
// A copy of a small object with a union checks its sameregion slot, wherever the object goes.
#include "../Inputs/check.h"

struct other {
  struct other *sameregion next;
  union {
    node *p;
    long n;
  } u;
};

static NOINLINE void move(volatile struct other *to, struct other *from) { *to = *from; }

int main(void) {
  region r = newregion(), s = newregion();
  struct other *a = rarrayalloc(r, 2, struct other), *b = rarrayalloc(r, 2, struct other);
  struct other *c = ralloc(s, struct other);
  a->next = a + 1;
  move(b, a);
  CHECK(b->next == a + 1);
  move(c, b + 1);
  move(c, b);
}
