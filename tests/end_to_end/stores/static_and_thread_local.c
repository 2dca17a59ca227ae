// Static, static local, thread-local and common variables count; a thread's own count until it
// ends.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <pthread.h>

node *common;
static _Thread_local node *thread_slot;
static __thread struct {
  int pad;
  node *slots[3];
} thread_struct;
static node *to_store;

static void *other_thread(void *argument) {
  thread_slot = to_store;
  thread_struct.slots[2] = to_store;
  opaque(&thread_struct);
  return argument;
}
static node **static_local(void) {
  static node *inside;
  return &inside;
}

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  common = n;
  *static_local() = n;
  thread_slot = n;
  thread_struct.slots[1] = n;
  to_store = n;
  CHECK_COUNT(r, 5);
  pthread_t thread;
  CHECK(pthread_create(&thread, 0, other_thread, 0) == 0);
  CHECK(pthread_join(thread, 0) == 0);
  DELETE_REFUSED(r);
  common = *static_local() = thread_slot = thread_struct.slots[1] = to_store = 0;
  DELETE_ACCEPTED(r);
}
