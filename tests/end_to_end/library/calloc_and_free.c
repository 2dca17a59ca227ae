// calloc, strdup, aligned allocation and free: freed memory holds no references, reused memory
// starts without any.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  for (int round = 0; round < 1000; round++) {
    node **a = calloc(8, sizeof *a);
    CHECK_COUNT(r, 0);
    for (int i = 0; i < 8; i++)
      a[i] = n;
    CHECK_COUNT(r, 8);
    free(a);
    CHECK_COUNT(r, 0);
  }
  node **aligned = aligned_alloc(4096, 8192), **posix;
  CHECK(posix_memalign((void **)&posix, 64, 640) == 0);
  aligned[1023] = posix[79] = n;
  CHECK_COUNT(r, 2);
  free(aligned);
  free(posix);
  free(0);
  char *text = strdup("text");
  free(text);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
