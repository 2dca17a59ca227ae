// A local whose address leaves its function counts from its first store to the end of the function.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static NOINLINE void set(node **slot, node *n) { *slot = n; }

static NOINLINE void one(region r) deletes {
  node *local = new_node(r);
  opaque(&local);
  CHECK_HELD(r, 1);
  set(&local, 0);
  CHECK_COUNT(r, 0);
  set(&local, new_node(r));
  CHECK_HELD(r, 1);
}

static NOINLINE int early(region r, int how) deletes {
  node *a = new_node(r), *b[2] = {a, a};
  opaque(&a);
  opaque(b);
  CHECK_HELD(r, 3);
  if (how == 0)
    return 1;
  if (how == 1)
    goto out;
  for (;;) {
    node *inner = a;
    opaque(&inner);
    CHECK_HELD(r, 4);
    if (how == 2)
      return 2;
    break;
  }
out:
  return 3;
}

static NOINLINE void recurse(region r, size_t depth) deletes {
  node *local = new_node(r);
  opaque(&local);
  CHECK_HELD(r, depth);
  if (depth < 200)
    recurse(r, depth + 1);
  CHECK_HELD(r, depth);
  local = 0;
  CHECK_COUNT(r, depth - 1);
}

int main(void) deletes {
  region r = newregion();
  one(r);
  CHECK_COUNT(r, 0);
  for (int how = 0; how < 4; how++) {
    early(r, how);
    CHECK_COUNT(r, 0);
  }
  recurse(r, 1);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
