// Unions and structs that hold unions pass by value as arguments and results; only a pointer that
// is there counts.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

union value {
  node *pointer;
  long integer;
  double real;
};
struct tagged {
  int is_pointer;
  union value v;
};
struct nested {
  struct tagged t[3];
  union {
    struct tagged inner;
    char bytes[40];
  } u;
};
static struct nested global;
static union value global_value;

static NOINLINE union value from_pointer(node *n) { return (union value){.pointer = n}; }
static NOINLINE union value from_integer(long i) { return (union value){.integer = i}; }
static NOINLINE void keep_value(union value v) { global_value = v; }
static NOINLINE struct nested make(node *n) {
  struct nested result = {0};
  result.t[1] = (struct tagged){1, {.pointer = n}};
  result.t[2] = (struct tagged){0, {.integer = 7}};
  result.u.inner = (struct tagged){1, from_pointer(n)};
  return result;
}
static NOINLINE void keep(struct nested n) { global = n; }

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  keep_value(from_pointer(n));
  CHECK_COUNT(r, 1);
  keep_value(from_integer(12345));
  CHECK_COUNT(r, 0);
  keep_value((union value){.real = 1.5});
  CHECK_COUNT(r, 0);
  keep(make(n));
  CHECK_COUNT(r, 2);
  global.t[1].v = from_integer(3);
  CHECK_COUNT(r, 1);
  struct nested copy = global;
  keep(make(0));
  CHECK_COUNT(r, 0);
  DELETE_REFUSED(r);
  CHECK(copy.u.inner.v.pointer->value == 42);
  DELETE_ACCEPTED(r);
}
