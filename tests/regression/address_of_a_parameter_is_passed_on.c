// A function that nobody sees may copy a parameter whose address it gets, or whoever has that address: an owner was lent to it.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

void leak(char **place);
static char *kept;
static void pass(char *text) { leak(&text); }
static void keep(char *text) {
  char **place = &text;
  kept = *place;
}
static void skip(char **place) {
  while (**place == ' ')
    ++*place;
}
static int look(char *text) {
  skip(&text);
  return *text;
}

int all(char *unique text) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'pass'
  pass(text);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'keep'
  keep(text);
  int first = look(text);
  free(text);
  return first;
}
// CHECK: 2 errors generated
