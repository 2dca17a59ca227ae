// RUN: mkdir -p %t.directory
// RUN: %clang -O1 -fPIC -shared %S/Inputs/plain_library.c -o %t.directory/library.so
// RUN: %each_level -o %t %s -- -facre-malloc=quarantine -pthread -ldl
// RUN: env ACRE_HEAP=growth=64K %t.O2 %t.directory/library.so
// RUN: env ACRE_HEAP=growth=64K,pause=0,check,poison %t.O2 %t.directory/library.so
// RUN: %acre-cc -O2 -facre-malloc=collected -pthread %s -ldl -o %t.c
// RUN: env ACRE_HEAP=growth=64K,poison %t.c %t.directory/library.so
// A library that acre-cc did not compile is opened while threads run, frees, resizes and keeps
// objects of the heap in its own memory, and is closed and opened again.
#include "Inputs/check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TIMES = 5, KEPT = 200, TEXT_BYTES = 100 };
static atomic_bool is_done;

typedef struct library {
  void (*keep)(void *object), (*release)(void *p);
  void *(*take)(void), *(*resize)(void *p, size_t size);
  char *(*text)(void);
} library;

static void find(void *handle, const char *name, void *function) {
  void *found = dlsym(handle, name);
  CHECK(found);
  memcpy(function, &found, sizeof found);
}

static library look_up(void *handle) {
  library l;
  find(handle, "library_keep", &l.keep);
  find(handle, "library_free", &l.release);
  find(handle, "library_take", &l.take);
  find(handle, "library_resize", &l.resize);
  find(handle, "library_text", &l.text);
  return l;
}

static void *allocate_always(void *unused) {
  while (!is_done)
    for (size_t i = 1; i < 1000; i += 7)
      free(memset(malloc(i), 0x77, i));
  return unused;
}

__attribute__((noinline)) static void keep_all(const library *l) {
  for (unsigned long i = 0; i < KEPT; i++)
    l->keep(new_item(i));
}

/* The newest comes first. */
__attribute__((noinline)) static void take_all(const library *l) {
  for (unsigned long i = KEPT; i-- > 0;) {
    item *taken = l->take();
    CHECK(is_whole(taken, i));
    taken = l->resize(taken, 5000);
    CHECK(is_whole(taken, i));
    i % 2 ? l->release(taken) : free(taken);
  }
}

static void use(const char *path) {
  void *handle = dlopen(path, RTLD_NOW);
  CHECK(handle);
  library l = look_up(handle);
  keep_all(&l);
  churn();
  take_all(&l);
  char *text = realloc(l.text(), TEXT_BYTES);
  CHECK(strcmp(text, "of the library") == 0);
  free(text);
  CHECK(dlclose(handle) == 0);
}

int main(int count, char **arguments) {
  pthread_t thread;
  if (count < 2)
    return 0;
  CHECK(pthread_create(&thread, NULL, allocate_always, NULL) == 0);
  for (int i = 0; i < TIMES; i++)
    use(arguments[1]);
  is_done = true;
  pthread_join(thread, NULL);
  CHECK(acre_collected_check());
  return 0;
}
