// What the C library makes has a plain type, and may be kept in ways that are not followed. Where
// the call's own place shows that it is kept nowhere it is reported.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *mine(size_t size) __attribute__((malloc));
char *unique make(void);

void statements(const char *s, int n) {
  strdup(s);                // expected-warning {{is dropped}}
  (void)strdup(s);          // expected-warning {{is dropped}}
  for (;; strdup(s))        // expected-warning {{is dropped}}
    n ? strdup(s) : NULL;   // expected-warning {{is dropped}}
}
void tests(const char *s) {
  if (!!strdup(s))          // expected-warning {{is dropped}}
    puts(s);
  if (malloc(8))            // expected-warning {{is dropped}}
    puts(s);
  while (fopen(s, "r"))     // expected-warning {{is dropped}}
    puts(s);
  do
    puts(s);
  while (s && strdup(s));   // expected-warning {{is dropped}}
}
bool results(const char *s) {
  return strdup(s) != NULL; // expected-warning {{is dropped}}
}
bool converted(const char *s) {
  return strdup(s);         // expected-warning {{is dropped}}
}
int parts(const char *s) {
  return strdup(s)[0] +     // expected-warning {{is dropped}}
         *strdup(s);        // expected-warning {{is dropped}}
}
bool resized(char *unique s) {
  return realloc(s, 8) != NULL; // expected-warning {{is dropped}}
}
bool opened(void) {
  return iconv_open("a", "b") != (iconv_t)-1; // expected-warning {{is dropped}}
}

// Kept, ended, or meant to stay.
char *kept(const char *s, void **into) {
  char *copy;
  if (!(*into = malloc(8)) || (copy = strdup(s)) == NULL)
    return NULL;
  return copy;
}
void ended(const char *s, void *p) {
  free(strdup(s));
  (void)!realloc(p, 0);
  freopen(s, "w", stdout);
  mmap(p, 8, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mine(8);
  getcwd(p, 8);
}
