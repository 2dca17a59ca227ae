// What a unique pointer owns is lost when the pointer is: a warning, which -Wno-acre-leak turns
// off.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wno-leak -Werror -D__ACRE__=1 \
// RUN:   -isystem %source/include %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct holder {
  char *unique text;
};
char *unique make(void);

void at_the_end(void) {
  char *unique p = malloc(8);
} // expected-warning {{'p' may be lost at the end of its scope: nothing frees what it owns}}
void parameter(char *unique p) { (void)p; }
// expected-warning@-1 {{'p' may be lost at the end of its scope}}
void when_not_null(char *unique p) {
  if (p)
    return; // expected-warning {{'p' is lost at the end of its scope}}
}
void on_one_path(char *unique p, int way) {
  if (way)
    free(p);
} // expected-warning {{'p' may be lost at the end of its scope}}
void overwritten(char *unique p) {
  p = NULL; // expected-warning {{'p' may be overwritten: nothing frees what it owns}}
}
void slot(struct holder *h) {
  h->text = make(); // expected-warning {{'h->text' may be overwritten}}
}
void dropped(void) {
  make(); // expected-warning {{the result is unique and is dropped}}
}
void lost_reference(char *refcounted p) {
  char *refcounted other = rc_alias(p);
  rc_drop(p);
} // expected-warning {{'other' may be lost at the end of its scope}}
void failed_growth(char *unique p) {
  char *unique bigger = realloc(p, 100);
  if (!bigger)
    return; // expected-warning {{'p' is lost at the end of its scope}}
  free(bigger);
}
