// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=limit=64M,growth=16K,increment=256,poison,check %t.O2
// A program that closes descriptors it does not know, as daemons do, takes the kernel's help from a
// collection that runs; one that forks, from the child.  Nothing is lost, and later collections go
// on.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <sys/wait.h>
#include <unistd.h>

static item *kept[64];

static void work(unsigned long rounds) {
  for (unsigned long i = 0; i < rounds; i++) {
    item **a = &kept[i % 64], **b = &kept[i * 31 % 64];
    item *fresh = new_item(i);
    fresh->next = *a;
    *a = *b;
    *b = i % 97 ? fresh : NULL;
    if (i % 7 == 0)
      close_range(64, 1024, 0);
  }
  for (int i = 0; i < 64; i++)
    for (const item *at = kept[i]; at; at = at->next)
      CHECK(at->complement == ~at->number);
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    work(1000 + i);
    pid_t child = fork();
    if (child == 0) {
      work(2000);
      _exit(acre_collected_check() ? 0 : 1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  acre_heap_stats stats;
  acre_collected_get_stats(&stats);
  CHECK(!getenv("ACRE_HEAP") || stats.collections > 1);
}
