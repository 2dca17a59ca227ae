// Struct results, small ones in registers and large ones through memory, are counted where they
// land.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct pair {
  node *a, *b;
};
struct large {
  node *slots[7];
};
static struct pair global_pair;
static struct large global_large;

static NOINLINE struct pair make_pair(node *n) { return (struct pair){n, n}; }
static NOINLINE struct large make_large(node *n) {
  struct large l = {{0}};
  for (int i = 0; i < 7; i++)
    l.slots[i] = i % 2 ? n : 0;
  return l;
}
static NOINLINE struct large pass_on(node *n) { return make_large(n); }

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *n = new_node(r);
  global_pair = make_pair(n);
  CHECK_COUNT(r, 2);
  global_large = make_large(n);
  CHECK_COUNT(r, 5);
  struct large *in_region = ralloc(s, struct large);
  *in_region = pass_on(n);
  CHECK_COUNT(r, 8);
  struct large *in_same = ralloc(r, struct large);
  *in_same = pass_on(n);
  CHECK_COUNT(r, 8);
  struct large local = make_large(n);
  CHECK(local.slots[1] == n && make_large(n).slots[3] == n && make_pair(n).b == n);
  CHECK_COUNT(r, 8);
  global_large = make_large(0);
  global_pair = make_pair(0);
  CHECK_COUNT(r, 3);
  *in_region = make_large(0);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
