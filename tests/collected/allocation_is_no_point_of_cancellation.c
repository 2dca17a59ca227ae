// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: env ACRE_HEAP=poison,growth=128K %t.O2
// RUN: env ACRE_HEAP=poison,growth=128K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A thread that is to be cancelled is not while it allocates, although a collection opens and reads
// files, but where the program says.
#include "Inputs/check.h"
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 30, GARBAGE = 20000 };
static _Thread_local int is_allocating;
static int ended;

static void end(void *unused) {
  (void)unused;
  CHECK(!is_allocating);
  ended++;
}

static void *allocate(void *unused) {
  pthread_cleanup_push(end, unused);
  for (;;) {
    is_allocating = 1;
    for (unsigned long i = 0; i < GARBAGE; i++)
      CHECK(is_whole(new_item(i), i));
    is_allocating = 0;
    pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return NULL;
}

static void *allocate_slowly(void *unused) {
  (void)unused;
  for (unsigned long i = 0;; i++) {
    CHECK(is_whole(new_item(i), i));
    usleep(100);
  }
}

int main(void) {
  pthread_t other, thread;
  pthread_create(&other, NULL, allocate_slowly, NULL);
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_create(&thread, NULL, allocate, NULL);
    usleep(3000 + i * 137);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
  CHECK(ended == THREADS);
  puts("ok");
}
