// Arrays and structs with initialisers, designated and ranged, count exactly what they hold.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct table {
  node *row[10];
  struct {
    node *x;
    int pad;
  } more[2];
};

static NOINLINE void initialise(region r) deletes {
  node *n = new_node(r);
  node *array[16] = {[2] = n, [4 ... 7] = n, n};
  opaque(array);
  CHECK_HELD(r, 6 + 1); /* and n */
  struct table t = {.row = {[9] = n}, .more[1] = {.x = n}};
  opaque(&t);
  CHECK_HELD(r, 8 + 1);
  for (int i = 0; i < 16; i++)
    array[i] = n;
  CHECK_HELD(r, 18);
  for (int i = 0; i < 16; i++)
    array[i] = 0;
  CHECK_HELD(r, 2);
}

int main(void) deletes {
  region r = newregion();
  initialise(r);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
