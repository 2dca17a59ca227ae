// memcpy, memset and free called through function pointers keep the counts.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile fill)(void *, int, size_t) = memset;
static void (*volatile release)(void *) = free;
static const struct allocator {
  void *(*resize)(void *, size_t);
  void (*release)(void *);
} allocator = {realloc, free};

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  node **a = malloc(4 * sizeof *a), **b = malloc(4 * sizeof *b);
  a[0] = a[1] = a[2] = a[3] = n;
  copy(b, a, 4 * sizeof *a);
  CHECK_COUNT(r, 8);
  fill(a, 0, 2 * sizeof *a);
  CHECK_COUNT(r, 6);
  move(a, a + 1, 3 * sizeof *a);
  CHECK_COUNT(r, 7);
  release(a);
  CHECK_COUNT(r, 4);
  const struct allocator *volatile use = &allocator;
  b = use->resize(b, 2 * sizeof *b);
  CHECK_COUNT(r, 2);
  use->release(b);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
