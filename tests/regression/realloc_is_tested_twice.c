// A second test of what realloc returned, as in 'more ? more : old', had forgotten what the first
// one told: the old block was taken for consumed.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *unique chosen(char *unique old, size_t size, bool *borrowed failed) {
  char *unique more = realloc(old, size);
  if (!more)
    *failed = true;
  char *unique x = more ? more : old;
  return x;
}
char *unique by_two_ifs(char *unique old, size_t size) {
  char *unique more = realloc(old, size), *unique x;
  if (more)
    memset(more, 0, size);
  if (more)
    x = more;
  else
    x = old;
  return x;
}
char *unique tried_twice(char *unique old, size_t size) {
  char *unique more = realloc(old, 2 * size);
  if (!more)
    more = realloc(old, size);
  return more ?: old;
}
char *unique if_any(char *unique old, size_t size) {
  char *unique more = old ? realloc(old, size) : NULL;
  return more ? more : old;
}
char *unique plain(char *unique old, size_t size) {
  char *more = realloc(old, size);
  return more ? (char *unique)more : old;
}

char *unique the_other(char *unique old, size_t size) {
  char *unique more = realloc(old, size); // expected-note {{consumed here}}
  // expected-error@+3 {{'old' is used after it was consumed}}
  // expected-warning@+2 2 {{may be lost at the end}}
  // expected-note@+1 2 {{consumed here on another path}}
  return more ? old : more;
}
void both(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  char *unique x = more ? more : old; // expected-note {{consumed here}}
  free(x);
  free(old); // expected-error {{'old' is used after it was consumed}}
}
char *unique lost(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  // expected-note@-1 {{consumed here on another path}}
  return more ? more : NULL; // expected-warning {{'old' may be lost}}
}
