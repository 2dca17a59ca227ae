// Threads work on one arena by turns: each opens it with a reference of its own to its key.
// RUN: %each_level -o %t %s
// RUN: %if sanitizers %{ %acre-cc -fsanitize=thread -O1 -g %s -o %t.tsan && %t.tsan %}
#include "../Inputs/check.h"
#include <acre/scope.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2000 };

static acre_key *refcounted handed[THREADS];

static void *work(void *argument) {
  acre_key *refcounted key = acre_take(&handed[(uintptr_t)argument]);
  for (int i = 0; i < ROUNDS; i++) {
    acre_open(r, key);
    node *fresh = new_node(r);
    fresh->next = acre_root(node, r);
    fresh->value = fresh->next ? fresh->next->value + 1 : 1;
    acre_root(node, r) = fresh;
  }
  rc_drop(key);
  return NULL;
}

int main(void) {
  acre_key *refcounted key = acre_key_new_shared();
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    rc_drop(acre_swap(&handed[i], rc_alias(key)));
    CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_join(threads[i], 0) == 0);
  long count = 0;
  {
    acre_open(r, key);
    CHECK(acre_root(node, r)->value == THREADS * ROUNDS);
    for (node *each = acre_root(node, r); each; each = each->next)
      count++;
    CHECK(regionof(acre_root(node, r)) == r);
  }
  CHECK(count == THREADS * ROUNDS);
  rc_drop(key);
  acre_stats stats;
  acre_get_stats(&stats);
  CHECK(stats.regions_live == 0);
}
