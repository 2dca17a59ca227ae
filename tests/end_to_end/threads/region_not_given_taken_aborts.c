// A region that belongs to another thread is not taken before that has given it away.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot take the region created at [[FILE]]:[[@LINE+14]]: its thread has not
// ABORT-SAME: given it away
// ABORT-NEXT: acre_region_take called at [[FILE]]:[[@LINE+6]]
#include "../Inputs/check.h"

#include <pthread.h>

static void *work(void *r) {
  takeregion((region)r);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, newregion());
  pthread_join(thread, 0);
}
