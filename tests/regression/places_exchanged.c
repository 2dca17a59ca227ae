// A function that exchanges two owners was warned of, since its places were taken for one, and who
// called one that empties what it is given was told of a leak.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

char *unique make(void);

void exchange(char *unique *a, char *unique *b) {
  char *unique t = acre_take(a);
  *a = acre_take(b);
  *b = t;
}
void lost(char *unique *a, char *unique *b) {
  char *unique t = acre_take(a);
  *b = t; // expected-warning {{'*b' may be overwritten}}
}

static void end(char *unique *p) {
  if (!p)
    return;
  free(acre_take(p));
}
static void end_two(char *unique *a, char *unique *b) {
  end(a);
  free(acre_take(b));
}
static void end_sometimes(char *unique *p, int is_wanted) {
  if (is_wanted)
    free(acre_take(p));
}
void emptied(void) {
  char *unique a = make();
  end(&a);
}
void second_emptied(void) {
  char *unique a = make(), *unique b = make();
  end_two(&a, &b);
  free(a);
}
void sometimes(int is_wanted) {
  char *unique a = make();
  end_sometimes(&a, is_wanted);
} // expected-warning {{'a' may be lost}}
int used_late(void) {
  char *unique a = make();
  const char *p = a;
  end(&a);
  return p ? *p : 0; // expected-error {{'p' is used after 'a'}}
}
