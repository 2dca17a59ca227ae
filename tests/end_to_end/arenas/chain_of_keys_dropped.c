// An arena that holds the key of an arena, and so on: the drop of the first key frees all, on a
// small stack.
// RUN: %each_level -o %t %s
// RUN: %if sanitizers %{ %acre-cc -fsanitize=address -O1 -g %s -o %t.asan && \
// RUN:   env ASAN_OPTIONS=detect_leaks=1 %t.asan %}
#include "../Inputs/check.h"
#include <acre/scope.h>
#include <pthread.h>

/* A drop that recursed would need 32 bytes for each, and more: all of the small stack.  The
   verifier looks at all regions at each delete, so the time is quadratic. */
enum { LENGTH = 8000 };

struct holder {
  acre_key *unique key;
};

static acre_key *unique first;

static void *drop(void *unused) {
  acre_key_drop(acre_take(&first));
  return unused;
}

int main(void) {
  acre_key *unique inner = NULL;
  for (int i = 0; i < LENGTH; i++) {
    acre_key *unique outer = acre_key_new();
    {
      acre_open(r, outer);
      struct holder *holder = ralloc(r, struct holder);
      acre_key_drop(acre_swap(&holder->key, inner));
      acre_root(struct holder, r) = holder;
    }
    inner = outer;
  }
  acre_key_drop(acre_swap(&first, inner));
  pthread_attr_t small;
  pthread_t thread;
  CHECK(pthread_attr_init(&small) == 0);
  CHECK(pthread_attr_setstacksize(&small, 256 * 1024) == 0);
  CHECK(pthread_create(&thread, &small, drop, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_attr_destroy(&small) == 0);
  acre_stats stats;
  acre_get_stats(&stats);
  CHECK(stats.regions_live == 0);
}
