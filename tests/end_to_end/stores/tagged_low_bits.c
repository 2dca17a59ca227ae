// Pointers with tag bits in their low bits count for the region that they point into.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

typedef struct node *tagged;
static tagged tag(node *n, unsigned bits) { return (tagged)((uintptr_t)n | bits); }
static node *untag(tagged t) { return (node *)((uintptr_t)t & ~(uintptr_t)7); }
static tagged global;

static NOINLINE long live(region r) deletes {
  tagged t = tag(new_node(r), 3);
  DELETE_REFUSED(r);
  return untag(t)->value;
}

int main(void) deletes {
  region r = newregion();
  for (unsigned bits = 0; bits < 8; bits++) {
    global = tag(new_node(r), bits);
    CHECK_COUNT(r, 1);
    DELETE_REFUSED(r);
    CHECK(untag(global)->value == 42);
  }
  global = tag(0, 5);
  CHECK_COUNT(r, 0);
  CHECK(live(r) == 42);
  DELETE_ACCEPTED(r);
}
