// A struct, union or array that never leaves its function is pinned whole while any of it is used
// later, and not after.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct cursor {
  node *at;
  int index;
  struct {
    node *stack[4];
  } in;
};

static NOINLINE struct cursor start(node *n) { return (struct cursor){n, 0, {{0, n}}}; }

static NOINLINE long through_result(region r) deletes {
  struct cursor c = start(new_node(r));
  DELETE_REFUSED(r);
  return c.in.stack[1]->value;
}
static NOINLINE long through_copy(region r, int which) deletes {
  struct cursor c = start(new_node(r)), d = c;
  memset(&c, 0, sizeof c);
  DELETE_REFUSED(r);
  return d.in.stack[which]->value;
}
static NOINLINE long dead_array(region r, int which) deletes {
  node *array[8] = {0};
  array[which] = new_node(r);
  long value = array[which]->value;
  DELETE_ACCEPTED(r);
  return value;
}
static NOINLINE long dead_struct(region r) deletes {
  struct cursor c = start(new_node(r));
  long value = c.at->value;
  DELETE_ACCEPTED(r);
  return value;
}
static NOINLINE long overwritten(region r, region s, int which) deletes {
  node *array[8] = {0};
  array[which] = new_node(r);
  array[which] = new_node(s);
  DELETE_ACCEPTED(r);
  return array[which]->value;
}

int main(void) deletes {
  int which = (int)(long)opaque((void *)1);
  region r = newregion();
  CHECK(through_result(r) == 42);
  CHECK(through_copy(r, which) == 42);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(dead_array(newregion(), which) == 42);
  CHECK(dead_struct(newregion()) == 42);
  region s = newregion();
  CHECK(overwritten(newregion(), s, which) == 42);
  DELETE_ACCEPTED(s);
}
