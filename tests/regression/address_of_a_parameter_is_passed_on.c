// Whoever gets the address of a parameter may copy what is in it, and what it holds later was not
// followed: owners were lent to that.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

void leak(char **place);
static char *kept;
static void skip(char **place) {
  while (**place == ' ')
    ++*place;
}
static void pass(char *text) { leak(&text); }
static void keep(char *text) {
  char **place = &text;
  kept = *place;
}
static void keep_rest(char *text) {
  skip(&text);
  kept = text;
}
static void keep_rest_as_owner(char *text) {
  char *unique other = malloc(1);
  skip(&text);
  kept = text;
  free(other);
}

void all(char *unique text) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'pass'
  pass(text);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'keep'
  keep(text);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'keep_rest'
  keep_rest(text);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'keep_rest_as_owner'
  keep_rest_as_owner(text);
  free(text);
}
// CHECK: 4 errors generated
