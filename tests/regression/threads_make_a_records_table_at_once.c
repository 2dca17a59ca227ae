// A thread that found the table for a slot's record before the thread that had made it listed it
// put a record there that no delete found: what was to be severed was not.
// RUN: %acre-cc -O2 %s -o %t -pthread && %t
#include <acre/acre.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
  long value;
};

#define CHECK(is_true) ((is_true) ? (void)0 : abort())

enum { THREADS = 6, RUNS = 150 };
static struct node *slots[THREADS][64];
static pthread_barrier_t start;

static __attribute__((noinline)) void fill(struct node **slot, region r) {
  *slot = ralloc(r, struct node);
}

static void *sever_own(void *which) deletes {
  struct node **slot = &slots[(long)which][3];
  pthread_barrier_wait(&start);
  for (int i = 0; i < 3; i++) {
    region r = newregion();
    fill(slot, r);
    CHECK(deleteregion(r) && !*slot);
  }
  return NULL;
}

static void run(void) {
  pthread_t threads[THREADS];
  CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
  for (long i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, sever_own, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_SEVER);
  for (int i = 0; i < RUNS; i++) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      run();
      _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
  }
  return 0;
}
