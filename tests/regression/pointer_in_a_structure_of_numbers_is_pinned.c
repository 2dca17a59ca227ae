// A local that is a structure of numbers may hold pointers: memory is memory to those who get its
// address, and to memcpy.
// RUN: %each_level -o %t %s
// RUN: %each_level -o %t.untyped %s -- -fno-strict-aliasing
#include "../end_to_end/Inputs/check.h"

struct scratch {
  unsigned long words[8];
};

static void put(void *to, node *n) { memcpy(to, &n, sizeof n); }
static node *get(const void *from) {
  node *n;
  memcpy(&n, from, sizeof n);
  return n;
}
static void (*volatile put_unseen)(void *, node *) = put;
static node *(*volatile get_unseen)(const void *) = get;

static NOINLINE void given_to_others(region r) deletes {
  struct scratch s;
  put_unseen(&s, new_node(r));
  DELETE_REFUSED(r);
  CHECK(get_unseen(&s)->value == 42);
}
static NOINLINE void copied(region r) deletes {
  struct scratch s;
  node *n = new_node(r);
  memcpy(&s.words[3], &n, sizeof n);
  n = NULL;
  opaque(&s);
  DELETE_REFUSED(r);
  memcpy(&n, &s.words[3], sizeof n);
  CHECK(n->value == 42);
}

int main(void) deletes {
  region r = newregion();
  given_to_others(r);
  copied(r);
  DELETE_ACCEPTED(r);
  return 0;
}
