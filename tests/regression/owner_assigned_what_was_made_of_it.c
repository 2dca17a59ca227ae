// An owner that is assigned was taken for used while the right operand consumes it: p = realloc(p,
// n) was rejected.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

int value_of(char *unique p);
char *unique longer(char *unique p, int by);

char *unique grown(char *unique p) {
  p = realloc(p, 10);
  if (!p)
    abort();
  p = longer(p, 1);
  return p;
}
int still_used(char *unique p) {
  return *p + value_of(p);
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
