// Threads store pointers into shared slots at once; each makes, fills and deletes its own regions.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20000, SLOTS = 64 };
static node *_Atomic shared[SLOTS];
static node *candidates[8];

static void *work(void *argument) deletes {
  unsigned state = (unsigned)(uintptr_t)argument * 7919 + 1;
  for (int i = 0; i < ROUNDS; i++) {
    state = state * 1664525 + 1013904223;
    shared[state >> 8 & (SLOTS - 1)] = candidates[state >> 24 & 7];
    if (i % 100 == 0) {
      region own = newregion();
      node *n = new_node(own), *m = new_node(own);
      n->next = candidates[1];
      m->other = candidates[2];
      DELETE_ACCEPTED(own);
    }
  }
  return 0;
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  for (int i = 1; i < 8; i++)
    candidates[i] = new_node(i % 2 ? r : s);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_join(threads[i], 0) == 0);
  size_t in_r = 4, in_s = 3;
  for (int i = 0; i < SLOTS; i++) {
    node *n = shared[i];
    in_r += n && regionof(n) == r;
    in_s += n && regionof(n) == s;
  }
  CHECK_COUNT(r, in_r);
  CHECK_COUNT(s, in_s);
  for (int i = 0; i < SLOTS; i++)
    shared[i] = 0;
  memset(candidates, 0, sizeof candidates);
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
