// pthread_create rejected a start routine that deletes regions, so that no thread could delete its
// own.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <pthread.h>

static void *work(void *argument) deletes {
  CHECK(deleteregion(newregion()));
  return argument;
}

int main(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, 0, work, 0) == 0);
  CHECK(pthread_join(thread, 0) == 0);
}
