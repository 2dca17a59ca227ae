// A local variable of another thread, which this thread has stored to.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites -pthread %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:38: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:41
// CHECK-NEXT: 1. a local variable on the stack of another thread, stored as '*answer' at
// CHECK-SAME: [[FILE]]:39 in main, points to struct entry allocated at [[FILE]]:39
// CHECK-NEXT: hint: clear or free the memory that still points in
#include <pthread.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
static pthread_barrier_t stored, told;
static struct entry **volatile answer;

static void *ask(void *argument) deletes {
  region own = newregion();
  struct entry *reply = ralloc(own, struct entry);
  deleteregion(newregion());
  reply->key = 1;
  answer = &reply;
  pthread_barrier_wait(&told);
  pthread_barrier_wait(&stored);
  pthread_barrier_wait(&told);
  return reply ? argument : 0;
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
