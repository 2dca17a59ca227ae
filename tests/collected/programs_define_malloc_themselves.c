// RUN: %acre-cc -O0 -g -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O2 -g -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O1 -g -c %s -DUSER -facre-malloc=collected -o %t.user.o
// RUN: %acre-cc -O1 -g -DWRAPPER -facre-malloc=collected %s %t.user.o -o %t && %t
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A program may wrap malloc and free in functions of the same names.  The C library calls them, and
// other units of the program use the collected heap.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef USER
int allocations;

void *malloc(size_t size) {
  static void *(*next)(size_t);
  if (!next)
    next = (void *(*)(size_t))(uintptr_t)dlsym(RTLD_NEXT, "malloc");
  allocations++;
  return next(size);
}

void free(void *p) {
  static void (*next)(void *);
  if (!next)
    next = (void (*)(void *))(uintptr_t)dlsym(RTLD_NEXT, "free");
  next(p);
}
#endif

#ifndef WRAPPER
extern int allocations;

int main(void) {
  for (int i = 0; i < 10000; i++) {
    char *line = NULL, *copy = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&line, &size);
    CHECK(stream && fputs("text of a stream", stream) >= 0 && fclose(stream) == 0);
    copy = malloc(size + 1);
    CHECK(strcmp(strcpy(copy, line), "text of a stream") == 0);
    free(line);
    free(copy);
    free(strdup("text"));
  }
  CHECK(allocations >= 10000);
  return 0;
}
#endif
