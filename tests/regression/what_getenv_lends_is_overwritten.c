// setenv and unsetenv may overwrite what getenv has lent of the same variable; nothing was said.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

void again(const char *name) {
  const char *old = getenv("TZ"); // expected-note {{it is lent here, by the C library}}
  setenv("TZ", "UTC", 1);         // expected-note {{it may be overwritten here}}
  if (old)
    puts(old); // expected-warning {{'old' is used after 'setenv'}}
  const char *of = getenv(name); // expected-note {{it is lent here, by the C library}}
  unsetenv(name);                // expected-note {{it may be overwritten here}}
  puts(of);                      // expected-warning {{'of' is used after 'unsetenv'}}
}
void another(void) {
  const char *old = getenv("TZ");
  setenv("LANG", "C", 1);
  setenv("TZ", "UTC", 0);
  if (old)
    puts(old);
}
