// Allocating in a region of another thread aborts with a message.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: ralloc: the region created at [[FILE]]:[[@LINE+13]] belongs to another thread
// ABORT-NEXT: ralloc called at [[FILE]]:[[@LINE+6]] in work
#include "../Inputs/check.h"

#include <pthread.h>

static void *work(void *r) {
  ralloc((region)r, node);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, newregion());
  pthread_join(thread, 0);
}
