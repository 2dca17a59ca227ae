// A region that was given away may not be used by its giver, whether it has been taken or not.
// RUN: %each_level --expect-abort GIVEN -o %t %s
// RUN: %each_level --expect-abort TAKEN -o %t.taken %s -- -DTAKEN
// GIVEN: acre: fatal: ralloc: the region created at [[FILE]]:[[@LINE+17]] was given away at
// GIVEN-SAME: [[FILE]]:[[@LINE+17]]
// GIVEN-NEXT: ralloc called at [[FILE]]:[[@LINE+22]] in main
// TAKEN: acre: fatal: ralloc: the region created at [[FILE]]:[[@LINE+14]] was given away at
// TAKEN-SAME: [[FILE]]:[[@LINE+14]], and taken
// TAKEN-NEXT: ralloc called at [[FILE]]:[[@LINE+19]] in main
#include "../Inputs/check.h"

#include <pthread.h>

static void *work(void *r) {
  CHECK(takeregion((region)r));
  return NULL;
}

int main(void) deletes {
  pthread_t thread;
  region r = newregion();
  CHECK(giveregion(r));
#ifdef TAKEN
  pthread_create(&thread, 0, work, r);
  pthread_join(thread, 0);
#endif
  (void)thread, (void)work;
  ralloc(r, node);
}
