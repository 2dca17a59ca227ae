/* A thread blocks all signals, by which it also cannot be stopped. */
#include <acre/region.h>
#include <acre/snapshot.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void *work(void *argument) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(int count, char **values) {
  pthread_t thread;
  region r = newregion();
  ralloc(r, int);
  (void)count;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, work, NULL);
  pthread_barrier_wait(&barrier);
  printf("%d\n", acre_snapshot(values[1]));
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  printf("%d\n", acre_snapshot(values[1]));
  return 0;
}
