// RUN: %each_level -o %t %s -- -facre-malloc=quarantine -pthread
// RUN: env ACRE_HEAP=growth=64K %t.O2 20
// RUN: env ACRE_HEAP=growth=64K,check,poison %t.O2 3
// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -o %t.c
// RUN: env ACRE_HEAP=growth=64K,poison %t.c 20
// Threads that allocate nothing free, without the lock, what another has allocated, and free more
// in a destructor at their end.  All of it is reclaimed, with the caches of the threads.
#include "Inputs/check.h"
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 4, EACH = 3000, LATE = 10, MOST_LEFT = 4000 };
static item *objects[THREADS][EACH], *late[THREADS][LATE];
static pthread_key_t at_end;

static void free_late(void *number) {
  size_t i = (uintptr_t)number - 1;
  for (int at = 0; at < LATE; at++) {
    CHECK(is_whole(late[i][at], (unsigned long)at));
    free(late[i][at]);
    late[i][at] = NULL;
  }
}

static void *free_all(void *number) {
  size_t i = (uintptr_t)number - 1;
  CHECK(pthread_setspecific(at_end, number) == 0);
  for (int at = 0; at < EACH; at++) {
    CHECK(is_whole(objects[i][at], (unsigned long)at));
    free(objects[i][at]);
    objects[i][at] = NULL;
  }
  return NULL;
}

static void run_round(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    for (int at = 0; at < EACH; at++)
      objects[i][at] = new_item((unsigned long)at);
    for (int at = 0; at < LATE; at++)
      late[i][at] = new_item((unsigned long)at);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, free_all, (void *)(uintptr_t)(i + 1)) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
  CHECK(pthread_key_create(&at_end, free_late) == 0);
  for (int round = count > 1 ? atoi(arguments[1]) : 2; round > 0; round--)
    run_round();
  live_objects();
  CHECK(live_objects() < MOST_LEFT);
  CHECK(acre_collected_check());
  return 0;
}
