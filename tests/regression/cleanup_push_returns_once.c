// pthread_cleanup_push keeps the result of a setjmp in a variable and tests that: its second return
// was taken to lead back into the block, where an owner that is set there was already set.
// RUN: %frontend -fsyntax-only -Werror %s
#include <acre/own.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

char *unique copy_locked(pthread_mutex_t *lock, const char *text) {
  char *unique copy;
  pthread_mutex_lock(lock);
  pthread_cleanup_push(unlock, lock);
  copy = strdup(text);
  pthread_cleanup_pop(1);
  return copy;
}
