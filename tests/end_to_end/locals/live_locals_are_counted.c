// A local that is used after a delete is pinned across it: pointers, interior pointers, array
// cursors, and arrays.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static NOINLINE long plain(region r) deletes {
  node *n = new_node(r);
  DELETE_REFUSED(r);
  return n->value;
}
static NOINLINE long interior(region r) deletes {
  long *value = &new_node(r)->value;
  DELETE_REFUSED(r);
  return *value;
}
static NOINLINE long parameter(node *n, region r) deletes {
  DELETE_REFUSED(r);
  return n->value;
}
static NOINLINE long array(region r, int which) deletes {
  node *table[4];
  table[which] = new_node(r);
  DELETE_REFUSED(r);
  return table[which]->value;
}
static NOINLINE long in_struct(region r) deletes {
  struct {
    int tag;
    union {
      node *n;
      double d;
    } u;
  } local = {1, {.n = new_node(r)}};
  DELETE_REFUSED(r);
  return local.u.n->value;
}
static NOINLINE long loop(region r) deletes {
  node *a = rarrayalloc(r, 10, node);
  long sum = 0;
  for (node *cursor = a; cursor != a + 10; cursor++) {
    DELETE_REFUSED(r);
    sum += cursor->value;
  }
  return sum;
}
static NOINLINE long conditional(region r, int use) deletes {
  node *n = new_node(r);
  if (use) {
    DELETE_REFUSED(r);
    return n->value;
  }
  DELETE_ACCEPTED(r);
  return 0;
}
static NOINLINE long as_integer(region r) deletes {
  uintptr_t hidden = (uintptr_t)new_node(r);
  DELETE_REFUSED(r);
  return ((node *)hidden)->value;
}
static NOINLINE long load_then_use(node **slot, region r) deletes {
  node *n = *slot;
  *slot = 0;
  DELETE_REFUSED(r);
  return n->value;
}

/* What is pinned is what the source has, though the loop only needs table + bias. */
static NOINLINE long biased(node *table, long bias, long low, region r) deletes {
  long sum = 0;
  for (long key = low; key < low + 10; key++) {
    DELETE_REFUSED(r);
    sum += table[key + bias].value;
  }
  return sum;
}

int main(void) deletes {
  region r = newregion();
  CHECK(plain(r) == 42);
  CHECK(interior(r) == 42);
  CHECK(parameter(new_node(r), r) == 42);
  CHECK(array(r, (int)(long)opaque((void *)2)) == 42);
  CHECK(in_struct(r) == 42);
  CHECK(loop(r) == 0);
  long far = (long)opaque((void *)100000000);
  CHECK(biased(rarrayalloc(r, 10, node), -far, far, r) == 0);
  CHECK(as_integer(r) == 42);
  node **slot = malloc(sizeof *slot);
  *slot = new_node(r);
  CHECK(load_then_use(slot, r) == 42);
  free(slot);
  CHECK(conditional(r, 1) == 42);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  CHECK(conditional(newregion(), 0) == 0);
}
