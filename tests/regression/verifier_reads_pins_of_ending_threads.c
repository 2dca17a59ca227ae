// The verifier read the pin log of another thread while that thread ended and unmapped it.
// RUN: %each_level -o %t %s
#include <acre/region.h>
#include <pthread.h>

static void *pin_and_end(void *argument) deletes {
  region r = newregion(), s = newregion();
  long *live = ralloc(s, long);
  deleteregion(r);
  *live = 1;
  deleteregion(s);
  return argument;
}

int main(void) {
  for (int round = 0; round < 300; round++) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
      pthread_create(&threads[i], 0, pin_and_end, 0);
    for (int i = 0; i < 4; i++)
      pthread_join(threads[i], 0);
  }
  return !acre_verify();
}
