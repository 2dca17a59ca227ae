// RUN: %acre-cc -O0 -g -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O2 -g -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O2 -flto -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A program that calls free by the address that dlsym gives passes collected memory to it, and
// memory of the C library as before.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t named(void *handle, const char *name) { return (uintptr_t)dlsym(handle, name); }

static void use(void *handle) {
  void (*give_back)(void *) = (void (*)(void *))named(handle, "free");
  void *(*plain)(size_t) = (void *(*)(size_t))named(handle, "malloc");
  void *(*resize)(void *, size_t) = (void *(*)(void *, size_t))named(handle, "realloc");
  void *(*resize_array)(void *, size_t, size_t) =
      (void *(*)(void *, size_t, size_t))named(handle, "reallocarray");
  size_t (*usable)(void *) = (size_t(*)(void *))named(handle, "malloc_usable_size");
  for (int i = 0; i < 1000; i++) {
    give_back(strdup("text"));
    free(plain(50));
    give_back(plain(50));
    char *grown = resize(strdup("text"), 1000);
    CHECK(strcmp(grown, "text") == 0 && usable(grown) >= 1000);
    grown = resize_array(grown, 20, 1000);
    CHECK(strcmp(grown, "text") == 0);
    free(grown);
  }
}

int main(void) {
  use(RTLD_NEXT);
  use(RTLD_DEFAULT);
  void *versioned = dlvsym(RTLD_NEXT, "no_such_function", "GLIBC_2.2.5");
  CHECK(!versioned && !dlsym(RTLD_NEXT, "no_such_function"));
  return 0;
}
