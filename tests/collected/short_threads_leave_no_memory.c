// What a thread had taken in advance was freed when it ended, and not counted as that: 20,000 short
// threads, one after the other, took 700 MB with a quarantine.
// RUN: %acre-cc -O1 -pthread -facre-malloc=quarantine %s -o %t && %t
// RUN: %acre-cc -O1 -pthread -facre-malloc=collected %s -o %t && %t
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define THREADS 4000
#define MOST_KB (64 << 10)

static void *run(void *unused) {
  for (size_t size = 16; size <= 4096; size *= 4) {
    char *volatile block = malloc(size);
    if (!block)
      abort();
    block[size - 1] = 1;
    free(block);
  }
  return unused;
}

int main(void) {
  struct rusage used;
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
      return 2;
  }
  if (getrusage(RUSAGE_SELF, &used) != 0 || used.ru_maxrss > MOST_KB)
    return printf("%ld KB\n", used.ru_maxrss), 1;
}
