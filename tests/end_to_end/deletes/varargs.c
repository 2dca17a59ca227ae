// Variadic pointer arguments are kept alive by the caller across a deletes call and count where
// va_arg stores them.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <stdarg.h>

static node *kept[3];

static NOINLINE void keep(int count, ...) {
  va_list arguments, copy;
  va_start(arguments, count);
  va_copy(copy, arguments);
  for (int i = 0; i < count; i++)
    kept[i] = va_arg(arguments, node *);
  for (int i = 0; i < count; i++)
    CHECK(va_arg(copy, node *) == kept[i]);
  va_end(copy);
  va_end(arguments);
}

static NOINLINE long delete_then_read(region r, int count, ...) deletes {
  va_list arguments;
  long sum = 0;
  va_start(arguments, count);
  for (int i = 0; i < count; i++) {
    DELETE_REFUSED(r);
    sum += va_arg(arguments, node *)->value;
  }
  va_end(arguments);
  return sum;
}

struct pair {
  node *a, *b, *c;
};
static NOINLINE long struct_by_vararg(region r, int count, ...) deletes {
  va_list arguments;
  va_start(arguments, count);
  struct pair p = va_arg(arguments, struct pair);
  va_end(arguments);
  DELETE_REFUSED(r);
  return p.a->value + p.c->value;
}

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  keep(3, n, (node *)0, n);
  CHECK_COUNT(r, 2);
  keep(3, (node *)0, n, (node *)0);
  CHECK_COUNT(r, 1);
  keep(3, (node *)0, (node *)0, (node *)0);
  CHECK(delete_then_read(r, 8, n, n, n, n, n, n, n, n) == 8 * 42);
  n = new_node(r);
  CHECK(struct_by_vararg(r, 1, (struct pair){n, n, n}) == 84);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
