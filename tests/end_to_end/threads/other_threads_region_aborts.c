// RUN: %each_level --expect-abort "acre: fatal" -o %t %s
// Allocating in a region of another thread aborts with a message.
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
