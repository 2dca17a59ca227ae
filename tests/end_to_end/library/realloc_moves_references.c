// realloc and reallocarray take the references along when they grow, shrink, move and fail; realloc
// to size 0 releases.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <errno.h>

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  node **a = malloc(4 * sizeof *a);
  for (int i = 0; i < 4; i++)
    a[i] = n;
  CHECK_COUNT(r, 4);
  void *in_the_way = malloc(64);
  a = realloc(a, 100000 * sizeof *a);
  CHECK_COUNT(r, 4);
  for (int i = 4; i < 100000; i++)
    a[i] = i % 1000 ? 0 : n;
  CHECK_COUNT(r, 4 + 99);
  a = reallocarray(a, 2000000, sizeof *a);
  CHECK_COUNT(r, 4 + 99);
  CHECK(a[3] == n && a[99000] == n);
  errno = 0;
  volatile size_t too_many = SIZE_MAX / 4;
  CHECK(!reallocarray(a, too_many, sizeof *a));
  CHECK_COUNT(r, 4 + 99);
  CHECK(!realloc(a, too_many));
  CHECK_COUNT(r, 4 + 99);
  a = realloc(a, 2 * sizeof *a);
  CHECK_COUNT(r, 2);
  a = realloc(a, 8 * sizeof *a);
  CHECK_COUNT(r, 2);
  DELETE_REFUSED(r);
  CHECK(a[1]->value == 42);
  free(a);
  CHECK_COUNT(r, 0);
  a = realloc(0, sizeof *a);
  *a = n;
  CHECK_COUNT(r, 1);
  free(a);
  free(in_the_way);
  DELETE_ACCEPTED(r);
}
