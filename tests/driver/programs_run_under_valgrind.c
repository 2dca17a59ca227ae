// Valgrind reads the debug information of programs and sees reads of deleted regions, with lines;
// memory of its own malloc is freed where the collected heap stands for malloc.
// REQUIRES: valgrind
// RUN: %acre-cc -O1 -g %s -o %t
// RUN: valgrind -q --error-exitcode=9 %t
// RUN: not valgrind -q --error-exitcode=9 %t deleted 2>&1 | FileCheck %s
// RUN: %acre-cc -O1 -g -facre-malloc=collected %s -o %t.collected
// RUN: valgrind -q --error-exitcode=9 %t.collected
#define _GNU_SOURCE
#include <acre/acre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t hidden; // No count sees this reference.

__attribute__((noinline)) static void make(region r) {
  int *number = ralloc(r, int);
  *number = 41;
  hidden = (uintptr_t)number;
}

static int lines(const char *file) {
  char *line = NULL;
  size_t size = 0;
  int n = 0;
  FILE *stream = fopen(file, "r");
  while (stream && getline(&line, &size, stream) > 0) {
    char *copy = strdup(line);
    n += copy[0] != '\0';
    free(copy);
  }
  free(line);
  if (stream)
    fclose(stream);
  return n;
}

int main(int argc, char **argv) {
  (void)argv;
  region r = newregion();
  make(r);
  if (argc > 1)
    deleteregion(r);
  // CHECK: Invalid read of size 4
  // CHECK-NEXT: main ({{.*}}programs_run_under_valgrind.c:[[#@LINE+1]])
  int number = *(volatile int *)hidden;
  return number != 41 || lines("/etc/passwd") == 0;
}
