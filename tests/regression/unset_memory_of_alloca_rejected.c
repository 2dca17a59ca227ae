// Owning fields of memory from alloca, and of new objects of realloc, were used before they were
// set.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <alloca.h>
#include <stdlib.h>
struct pair {
  char *unique a, *unique b;
};
char *unique make(void);
void of_alloca(void) {
  struct pair *p = alloca(sizeof *p);
  p->a = make();
  free(acre_take(&p->a));
  free(acre_take(&p->b)); // expected-error {{'p->b' is used before it is surely set}}
}
void of_realloc(void) {
  struct pair *unique p = realloc(NULL, sizeof *p);
  if (!p)
    return;
  p->a = NULL;
  acre_drop(p); // expected-error {{'p->b' is used before it is surely set}}
}
void of_reallocarray(void) {
  struct pair *unique p = reallocarray(NULL, 1, sizeof *p);
  if (p)
    acre_drop(p); // expected-error {{'p->a' is used before it is surely set}}
}
void set(void) {
  struct pair *p = alloca(sizeof *p);
  p->a = make();
  p->b = NULL;
  free(acre_take(&p->a));
  free(acre_take(&p->b));
}
struct counted {
  int value;
};
static struct counted *refcounted shared;
// A weak reference to what a global variable refers to was an error.
acre_weak *unique watched(void) { return acre_weak_new(shared); }
