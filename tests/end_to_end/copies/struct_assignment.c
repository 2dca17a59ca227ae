// Struct assignment counts every pointer copied and uncounts every pointer overwritten.
// RUN: %each_level -o %t %s
// RUN: %each_level -o %t %s -- -fno-strict-aliasing
#include "../Inputs/check.h"

struct inner {
  node *a[3];
  char text[5];
};
struct outer {
  int before;
  struct inner in[2];
  node *last;
};
static struct outer global;

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct outer *x = malloc(sizeof *x), *y = ralloc(s, struct outer);
  memset(x, 0, sizeof *x);
  x->in[0].a[1] = x->in[1].a[2] = x->last = new_node(r);
  CHECK_COUNT(r, 3);
  *y = *x;
  CHECK_COUNT(r, 6);
  global = *y;
  CHECK_COUNT(r, 9);
  global.in[1] = global.in[0];
  CHECK_COUNT(r, 9);
  struct outer *same = opaque(&global);
  global = *same;
  CHECK_COUNT(r, 9);
  global.in[0] = (struct inner){0};
  CHECK_COUNT(r, 8);
  *y = (struct outer){.last = y->last};
  CHECK_COUNT(r, 6);
  global = *y;
  CHECK_COUNT(r, 5);
  DELETE_REFUSED(r);
  CHECK(global.last->value == 42 && y->last == global.last);
  global = (struct outer){0};
  free(x);
  CHECK_COUNT(r, 1);
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
