// The optimiser may keep a union with a pointer as a number: it is pinned across a delete all the
// same.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

union number {
  double d;
  node *p;
};
struct pair {
  double x;
  union number u;
  double y;
};

static NOINLINE long copied(union number *from, region r, int as_number) deletes {
  union number local = *from;
  from->p = 0;
  DELETE_REFUSED(r);
  if (as_number)
    return (long)local.d;
  return local.p->value;
}
static NOINLINE long in_struct(struct pair *from, region r, int as_number) deletes {
  struct pair local = *from, other = local;
  from->u.p = 0;
  if (as_number == 5)
    other.u.d = 3.0;
  DELETE_REFUSED(r);
  if (as_number)
    return (long)(local.u.d + other.u.d);
  return other.u.p->value;
}
static NOINLINE union number make(node *n) { return (union number){.p = n}; }
static NOINLINE long from_result(node **slot, region r, int as_number) deletes {
  union number local = make(*slot);
  *slot = 0;
  for (int i = 0; i < 2; i++) {
    DELETE_REFUSED(r);
    if (as_number)
      local.d += 1.5;
  }
  return local.p->value;
}
static NOINLINE long as_double(union number v, region r) deletes {
  double keep = v.d;
  DELETE_REFUSED(r);
  memcpy(&v, &keep, sizeof v);
  return v.p->value;
}
static NOINLINE long in_volatile(node **slot, region r) deletes {
  volatile union number local;
  local.p = *slot;
  *slot = 0;
  DELETE_REFUSED(r);
  return local.p->value;
}

int main(void) deletes {
  region r = newregion();
  union number *u = malloc(sizeof *u);
  u->p = new_node(r);
  CHECK(copied(u, r, 0) == 42);
  struct pair *pair = calloc(1, sizeof *pair);
  pair->u.p = new_node(r);
  CHECK(in_struct(pair, r, 0) == 42);
  u->p = new_node(r);
  CHECK(from_result(&u->p, r, 0) == 42);
  CHECK(as_double((union number){.p = new_node(r)}, r) == 42);
  u->p = new_node(r);
  CHECK(in_volatile(&u->p, r) == 42);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
