// A start routine with parameters is cast for makecontext, which was taken for a loss of deletes.
// RUN: %acre-cc -fsyntax-only %s 2>&1 | count 0
// RUN: not %acre-cc -fsyntax-only -DKEPT %s 2>&1 | FileCheck %s
#include <acre/acre.h>
#include <pthread.h>
#include <ucontext.h>

static void run(int number) deletes {
  region r = newregion();
  (void)number;
  deleteregion(r);
}
static void *start(char *name) deletes {
  region r = newregion();
  deleteregion(r);
  return name;
}

void begin(ucontext_t *context, pthread_t *thread) {
  makecontext(context, (void (*)(void))run, 1, 7);
  pthread_create(thread, NULL, (void *(*)(void *))start, "name");
}

#ifdef KEPT
// CHECK: error: 'deletes' function cast to type 'void (*)(void)'
void (*kept)(void);
void keep(void) { kept = (void (*)(void))run; }
#endif
