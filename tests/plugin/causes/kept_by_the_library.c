// Where a function of the C library keeps an argument, a note says what can be written instead.
// RUN: %acre-cc -fsyntax-only -Xclang -verify %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *number) { return number; }

#ifndef RIGHT
int start(pthread_t *borrowed thread) {
  int *unique number = calloc(1, sizeof *number);
  // expected-error@+2 {{'number' is lent to 'pthread_create', which is not known to give it back}}
  // expected-note@pthread.h:* {{'acre_release' gives it an owner for good}}
  int error = pthread_create(thread, NULL, work, number);
  free(number);
  return error;
}
#else
int start(pthread_t *borrowed thread) {
  int *unique number = calloc(1, sizeof *number);
  int error = pthread_create(thread, NULL, work, acre_unowned(number));
  if (!error)
    pthread_join(*thread, NULL);
  free(number);
  return error;
}
#endif
