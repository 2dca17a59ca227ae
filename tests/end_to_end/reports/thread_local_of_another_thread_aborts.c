// A thread-local variable of another thread.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites -pthread %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:39: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:42
// CHECK-NEXT: 1. thread-local variable 'reply' ([[FILE]]:18) of another thread, stored at
// CHECK-SAME: [[FILE]]:40 in main, points to struct entry allocated at [[FILE]]:40
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <pthread.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static pthread_barrier_t stored, told;
static _Thread_local struct entry *reply;
static struct entry **volatile answer;

static void *ask(void *argument) deletes {
  region own = newregion();
  struct entry *e = ralloc(own, struct entry);
  deleteregion(newregion());
  e->key = 1;
  answer = &reply;
  pthread_barrier_wait(&told);
  pthread_barrier_wait(&stored);
  pthread_barrier_wait(&told);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&told, 0, 2);
  pthread_barrier_init(&stored, 0, 2);
  pthread_create(&thread, 0, ask, 0);
  pthread_barrier_wait(&told);
  region r = newregion();
  *answer = ralloc(r, struct entry);
  pthread_barrier_wait(&stored);
  deleteregion(r);
  return 0;
}
