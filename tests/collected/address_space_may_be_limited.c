// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %t.O2 as 64 12 && %t.O2 as 300 50 && %t.O2 as 1000 200 && %t.O2 data 64 12 && %t.O2 data \
// RUN:   1000 200
// RUN: env ACRE_HEAP=check %t.O2 as 72 12
// Under RLIMIT_AS or RLIMIT_DATA the heap takes a quarter of what there is: most of that can be
// used, and used again.  The check needs tables of its own.
#include "Inputs/check.h"
#include <pthread.h>
#include <sys/resource.h>

typedef struct block {
  struct block *next;
  char bytes[1000];
} block;

__attribute__((noinline)) static size_t fill(void) {
  block *all = NULL;
  size_t count = 0;
  for (block *b; (b = malloc(sizeof *b)) != NULL; all = b, count++) {
    memset(b->bytes, 1, sizeof b->bytes);
    b->next = all;
  }
  for (const block *b = all; b; b = b->next)
    CHECK(b->bytes[999] == 1 && count-- > 0);
  CHECK(count == 0);
  for (const block *b = all; b; b = b->next)
    count++;
  return count * sizeof *all;
}

__attribute__((noinline)) static void wipe_stack(void) {
  volatile char bytes[4096];
  memset((void *)bytes, 0, sizeof bytes);
}

static void *allocate_some(void *unused) {
  for (int i = 0; i < 100000; i++)
    ((char *volatile)malloc(100))[1] = 1;
  return unused;
}

/* as or data, its limit, and how much of that can be allocated, in megabytes. */
int main(int count, char **words) {
  size_t limit = count > 1 ? strtoul(words[2], NULL, 10) << 20 : (size_t)300 << 20;
  size_t least = count > 1 ? strtoul(words[3], NULL, 10) << 20 : (size_t)50 << 20;
  struct rlimit both = {limit, limit};
  CHECK(setrlimit(count > 1 && strcmp(words[1], "data") == 0 ? RLIMIT_DATA : RLIMIT_AS, &both) ==
        0);
  for (int i = 0; i < 3; i++) {
    size_t got = fill();
    wipe_stack();
    if (got < least)
      fprintf(stderr, "%zu bytes\n", got);
    CHECK(got >= least);
  }
  wipe_stack();
  acre_collected_collect();
  pthread_t thread;
  pthread_attr_t small;
  CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 1 << 16) == 0);
  CHECK(pthread_create(&thread, &small, allocate_some, NULL) == 0);
  allocate_some(NULL);
  CHECK(pthread_join(thread, NULL) == 0);
}
