// What lifetimebound says a result points into. Clang 19 ignores it in C.
// REQUIRES: llvm-20
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

const char *text_end(const char *text __attribute__((lifetimebound)), const char *how);

void looked_at(char *unique text) {
  const char *end = text_end(text, "x");
  puts(end);
  free(text);
}
void looked_at_late(char *unique text) {
  const char *end = text_end(text, "x");
  free(text);
  puts(end); // expected-error {{'end' is used after 'text'}}
}
void bound_to_the_other(char *unique text, char *unique how) {
  const char *end = text_end(text, how);
  // expected-error@-1 {{'how' is lent to 'text_end', which is not known to give it back}}
  free(how);
  puts(end);
  free(text);
}
