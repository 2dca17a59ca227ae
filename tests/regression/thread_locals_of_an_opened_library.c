// What an ended thread had left in a thread-local variable of a library that was opened while the
// program ran refused deletes: the C library keeps the variables' memory for another thread.
// RUN: %acre-cc -O1 -shared -fPIC -DIS_LIBRARY %s -o %t.so
// RUN: %acre-cc -O1 %s -o %t -pthread -ldl && %t %t.so
#include <acre/acre.h>

#ifdef IS_LIBRARY
static __thread long *own[100];
void keep(long *p) { own[7] = p; }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define CHECK(is_true) ((is_true) ? (void)0 : abort())

static void (*keep)(long *);

static void *keep_in_thread(void *p) {
  keep(p);
  return NULL;
}

int main(int count, char **arguments) {
  (void)count;
  void *library = dlopen(arguments[1], RTLD_NOW);
  CHECK(library);
  keep = (void (*)(long *))dlsym(library, "keep");
  region r = newregion();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, keep_in_thread, ralloc(r, long)) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(deleteregion(r));
  return 0;
}
#endif
