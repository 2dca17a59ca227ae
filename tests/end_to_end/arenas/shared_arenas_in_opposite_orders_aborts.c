// Two threads open two shared arenas in opposite orders: the one that would wait for ever ends the
// program instead.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: acre_open at [[FILE]]:[[@LINE+18]]: another thread has this arena open and
// ABORT-SAME: waits, in acre_open at [[FILE]]:[[@LINE+17]], for one that this thread has open; all
// ABORT-SAME: threads have to open shared arenas in one order
#include "../Inputs/check.h"
#include <acre/scope.h>
#include <pthread.h>

static acre_key *refcounted keys[2][2];
static pthread_barrier_t both;

static void *work(void *argument) {
  size_t own = (size_t)(uintptr_t)argument;
  acre_key *refcounted first = acre_take(&keys[own][own]);
  acre_key *refcounted second = acre_take(&keys[own][1 - own]);
  {
    acre_open(r, first);
    new_node(r)->value = 1;
    pthread_barrier_wait(&both);
    acre_open(s, second);
    new_node(s)->value = 2;
  }
  rc_drop(first);
  rc_drop(second);
  return NULL;
}

int main(void) {
  CHECK(pthread_barrier_init(&both, NULL, 2) == 0);
  for (int i = 0; i < 2; i++) {
    acre_key *refcounted key = acre_key_new_shared();
    rc_drop(acre_swap(&keys[0][i], rc_alias(key)));
    rc_drop(acre_swap(&keys[1][i], key));
  }
  pthread_t threads[2];
  for (uintptr_t i = 0; i < 2; i++)
    CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
  for (int i = 0; i < 2; i++)
    CHECK(pthread_join(threads[i], 0) == 0);
}
