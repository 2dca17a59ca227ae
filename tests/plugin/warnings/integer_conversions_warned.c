// Pointers kept as integers: two warnings that are off unless asked for.
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-Wint-to-pointer \
// RUN:   -fplugin-arg-acre-Wpointer-to-int -Xclang -verify %s
// RUN: %frontend -fsyntax-only -Xclang -verify=quiet %s
// quiet-no-diagnostics
#include <stdint.h>
uintptr_t saved;
void take(uintptr_t);

uintptr_t warned(char *p, uintptr_t bits) {
  saved = (uintptr_t)p;
  // expected-warning@-1 {{pointer of type 'char *' kept as an integer: it is not counted there \
[-Wacre-pointer-to-int]}}
  unsigned long k = (long)p;  // expected-warning {{kept as an integer}}
  take((uintptr_t)p);         // expected-warning {{kept as an integer}}
  p = (char *)(bits + k);
  // expected-warning@-1 {{pointer made from an integer of type 'unsigned long'}}
  return (uintptr_t)p;        // expected-warning {{kept as an integer}}
}

int accepted(char *p) {
  if ((uintptr_t)p & 7)
    return (int)((uintptr_t)p % 31);
  p = 0, p = (char *)-1;
  return (uintptr_t)p > 5;
}
