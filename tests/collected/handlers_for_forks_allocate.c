// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: env ACRE_HEAP=poison,growth=256K timeout 60 %t.O2
// RUN: env ACRE_HEAP=poison,growth=256K,whole timeout 60 %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A program's handlers for forks may be older than the heap's: then they run while the fork holds
// the heap. They allocate, so that a collection starts, goes on or ends in them.
#include "Inputs/check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 20, ITEMS = 4000, KEPT = 100 };
static item *kept[KEPT];

static void allocate(void) {
  for (unsigned long i = 0; i < ITEMS; i++) {
    char *text = malloc(1000 + i % 1000);
    text[0] = 1;
    CHECK(!kept[i % KEPT] || is_whole(kept[i % KEPT], kept[i % KEPT]->number));
    kept[i % KEPT] = new_item(i);
  }
}

static void *allocate_always(void *unused) {
  for (unsigned long i = 0;; i++)
    CHECK(is_whole(new_item(i), i));
  return unused;
}

int main(void) {
  pthread_atfork(allocate, allocate, allocate); /* before the first allocation */
  allocate();
  pthread_t thread;
  pthread_create(&thread, NULL, allocate_always, NULL);
  for (int i = 0; i < FORKS; i++) {
    pid_t child = fork();
    if (child == 0) {
      allocate();
      _exit(3);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
  }
  puts("ok");
}
