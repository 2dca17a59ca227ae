/* SPDX-License-Identifier: MIT */
/* Loads a library of plain stores again and again, before and while there are regions; with an
 * argument beside a thread that executes them. */
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void setter(void *);
static setter *volatile current;
static volatile int is_over;
static region r;

static void *store_on(void *unused) {
  int numbers[2];
  (void)unused;
  while (!is_over)
    for (int i = 0; i < 2; i++) {
      setter *set = current;
      if (set)
        set(&numbers[i]);
    }
  return 0;
}

static __attribute__((noinline)) void set_object(setter *set) { set(ralloc(r, int)); }

static void store_in(void *library) deletes {
  setter *set = (setter *)dlsym(library, "set_static");
  CHECK(set != 0);
  r = newregion();
  set_object(set);
  CHECK(!deleteregion(r));
  set(0);
  CHECK(deleteregion(r));
}

int main(int argc, char **argv) deletes {
  pthread_t other;
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  void *stays = dlopen(argv[1], RTLD_NOW), *keeps = 0;
  CHECK(stays != 0);
  if (argc > 2) {
    keeps = dlopen(argv[2], RTLD_NOW);
    CHECK(keeps != 0);
    current = (setter *)dlsym(keeps, "set_global");
    CHECK(pthread_create(&other, 0, store_on, 0) == 0);
  }
  store_in(stays);
  CHECK(dlclose(stays) == 0);
  for (int i = 0; i < 20; i++) {
    region outer = i % 2 ? newregion() : 0;
    void *library = dlopen(argv[1], RTLD_NOW);
    CHECK(library != 0);
    store_in(library);
    CHECK(dlclose(library) == 0);
    CHECK(!outer || deleteregion(outer));
  }
  if (argc > 2) {
    is_over = 1;
    pthread_join(other, 0);
  }
  return 0;
}
