// memcpy, overlapping memmove, mempcpy and memset keep the counts of what they write over.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *n = new_node(r);
  node **a = malloc(8 * sizeof *a), **b = rarrayalloc(s, 8, node *);
  memset(a, 0, 8 * sizeof *a);
  a[0] = a[1] = a[2] = n;
  CHECK_COUNT(r, 3);
  memcpy(b, a, 8 * sizeof *a);
  CHECK_COUNT(r, 6);
  memmove(a + 1, a, 4 * sizeof *a);
  CHECK_COUNT(r, 7);
  memmove(a, a + 2, 4 * sizeof *a);
  CHECK(a[0] == n && a[1] == n && !a[2] && !a[3] && !a[4]);
  CHECK_COUNT(r, 5);
  CHECK(mempcpy(a + 4, b, 3 * sizeof *a) == a + 7);
  CHECK_COUNT(r, 8);
  size_t size = (size_t)opaque((void *)(8 * sizeof *a));
  memcpy(b, a, size);
  CHECK_COUNT(r, 10);
  memset(b, 0, size);
  CHECK_COUNT(r, 5);
  memset(a, 0xff, 2 * sizeof *a);
  CHECK_COUNT(r, 3);
  __builtin_memcpy(b, a + 4, 3 * sizeof *a);
  CHECK_COUNT(r, 6);
  free(a);
  CHECK_COUNT(r, 3);
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
