// Recursive deletes functions and tail calls: each activation's live locals are pinned, dead ones
// are not.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static NOINLINE long nested(int depth) deletes {
  region r = newregion();
  node *n = new_node(r);
  n->value = depth;
  long below = depth ? nested(depth - 1) : 0;
  DELETE_REFUSED(r);
  long value = n->value;
  DELETE_ACCEPTED(r);
  return below + value;
}
static NOINLINE void keep_until_bottom(region r, node *outer, int depth) deletes {
  node *mine = new_node(r);
  if (depth)
    keep_until_bottom(r, mine, depth - 1);
  else
    DELETE_REFUSED(r);
  CHECK(outer->value == 42 && mine->value == 42);
}
static NOINLINE void tail(region r, node *n, int depth) deletes {
  CHECK(n->value == 42);
  if (depth == 0) {
    DELETE_ACCEPTED(r);
    return;
  }
  tail(r, n, depth - 1);
}
static NOINLINE long must_tail(region r, node *n, long depth) deletes {
  node *local = n;
  opaque(&local);
  CHECK_HELD(r, 2);
  if (depth == 0)
    return n->value;
  return must_tail(r, n, depth - 1);
}

int main(void) deletes {
  CHECK(nested(50) == 50 * 51 / 2);
  region r = newregion();
  keep_until_bottom(r, new_node(r), 50);
  CHECK_COUNT(r, 0);
  tail(r, new_node(r), 50);
  r = newregion();
  CHECK(must_tail(r, new_node(r), 0) == 42);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
