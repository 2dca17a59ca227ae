// Small structs passed in registers keep the count, whether they stay in the callee's registers or
// are exposed there.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct pair {
  node *a, *b;
};
struct one {
  node *only;
};
static struct pair kept;

static NOINLINE long sum(struct pair p) { return p.a->value + p.b->value; }
static NOINLINE void keep(struct pair p) { kept = p; }
static NOINLINE void expose(struct pair p, struct one o, region r) deletes {
  opaque(&p);
  opaque(&o);
  CHECK_HELD(r, 5 + 1);
  p.a = 0;
  CHECK_HELD(r, 4 + 1) /* and n of main */;
}

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  CHECK(sum((struct pair){n, n}) == 84);
  CHECK_COUNT(r, 0);
  keep((struct pair){n, n});
  CHECK_COUNT(r, 2);
  expose((struct pair){n, n}, (struct one){n}, r);
  CHECK_COUNT(r, 2);
  keep((struct pair){0, n});
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  CHECK(kept.b->value == 42);
  keep((struct pair){0, 0});
  DELETE_ACCEPTED(r);
}
